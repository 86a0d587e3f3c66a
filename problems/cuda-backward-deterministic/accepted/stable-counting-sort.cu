// accepted: places sorted by token with a stable counting sort, partial sums in parallel
#include "contract.h"

namespace exercise {
namespace {

unsigned int blocks_for(std::size_t work, unsigned int threads) {
    return static_cast<unsigned int>((work + threads - 1) / threads);
}

__device__ TokenId id_at(DeviceMatrix<const TokenId> ids, std::size_t place) {
    return ids(place / ids.cols, place % ids.cols);
}

constexpr std::size_t tile = 64;

/// Tokens with a row in dwte are sorted by their id, all others come last, as if they had the id V.
__device__ std::size_t bucket_of(TokenId id, std::size_t V, std::int64_t padding_idx) {
    return id < 0 || static_cast<std::size_t>(id) >= V || id == padding_idx ? V
                                                                            : static_cast<std::size_t>(id);
}

/// Whole numbers may be counted atomically: their sum is the same in any order.
__global__ void count(DeviceMatrix<const TokenId> ids, std::size_t V, std::int64_t padding_idx,
                      unsigned int* counts) {
    const std::size_t place = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (place < ids.rows * ids.cols) atomicAdd(&counts[bucket_of(id_at(ids, place), V, padding_idx)], 1u);
}

/// One thread: bucket v begins behind all smaller ones.
__global__ void find_begins(std::size_t buckets, const unsigned int* counts, unsigned int* begins,
                            unsigned int* next_slot) {
    unsigned int sum = 0;
    for (std::size_t v = 0; v < buckets; ++v) {
        begins[v] = next_slot[v] = sum;
        sum += counts[v];
    }
    begins[buckets] = sum;
}

/// One block takes the places in order, a tile at a time. Within a tile a place comes behind those before it
/// that have the same token, so equal ids keep their order: the sort is stable.
__global__ void sort_places(DeviceMatrix<const TokenId> ids, std::size_t V, std::int64_t padding_idx,
                            unsigned int* next_slot, unsigned int* sorted) {
    __shared__ std::size_t bucket[tile];
    const std::size_t places = ids.rows * ids.cols;
    for (std::size_t base = 0; base < places; base += tile) {
        const std::size_t place = base + threadIdx.x, count = places - base < tile ? places - base : tile;
        if (place < places) bucket[threadIdx.x] = bucket_of(id_at(ids, place), V, padding_idx);
        __syncthreads();
        unsigned int before = 0;
        bool last = true;
        if (place < places) {
            const std::size_t mine = bucket[threadIdx.x];
            for (std::size_t other = 0; other < count; ++other) {
                if (bucket[other] != mine) continue;
                if (other < threadIdx.x) ++before;
                if (other > threadIdx.x) last = false;
            }
            sorted[next_slot[mine] + before] = static_cast<unsigned int>(place);
        }
        __syncthreads();
        if (place < places && last) next_slot[bucket[threadIdx.x]] += before + 1;
        __syncthreads();
    }
}

/// One thread an element of the sorted rows. Every sixteenth of a bucket makes a partial sum.
__global__ void make_partials(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, std::size_t V,
                              const unsigned int* begins, const unsigned int* sorted,
                              std::int64_t padding_idx, float* partials) {
    const std::size_t element = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (element >= ids.rows * ids.cols * dout.channels) return;
    const std::size_t slot = element / dout.channels, c = element % dout.channels;
    const std::size_t v = bucket_of(id_at(ids, sorted[slot]), V, padding_idx);
    if (v == V || (slot - begins[v]) % terms_of_a_partial != 0) return;
    float partial = 0;
    for (std::size_t i = slot; i < slot + terms_of_a_partial && i < begins[v + 1]; ++i)
        partial += dout.data[sorted[i] * dout.channels + c];
    partials[element] = partial;
}

/// The first slot of a bucket adds its partial sums in order.
__global__ void add_partials(DeviceMatrix<const TokenId> ids, const unsigned int* begins,
                             const unsigned int* sorted, std::int64_t padding_idx, const float* partials,
                             DeviceMatrix<float> dwte) {
    const std::size_t element = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (element >= ids.rows * ids.cols * dwte.cols) return;
    const std::size_t slot = element / dwte.cols, c = element % dwte.cols;
    const std::size_t v = bucket_of(id_at(ids, sorted[slot]), dwte.rows, padding_idx);
    if (v == dwte.rows || slot != begins[v]) return;
    float total = 0;
    for (std::size_t i = slot; i < begins[v + 1]; i += terms_of_a_partial)
        total += partials[i * dwte.cols + c];
    dwte(v, c) += total;
}

/// One thread an element of the window.
__global__ void add_positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t element = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (element >= dout.time * dout.channels) return;
    const std::size_t t = element / dout.channels, c = element % dout.channels;
    float sum = 0;
    for (std::size_t b = 0; b < dout.batch; ++b)
        sum += dout(b, t, c);
    dwpe(start + t, c) += sum;
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const std::size_t B = ids.rows, T = ids.cols, C = dout.channels;
    if (dout.batch != B || dout.time != T || dwte.cols != C || dwpe.cols != C) return {Code::shape_mismatch};
    const auto V = static_cast<std::int64_t>(dwte.rows);
    if (options.padding_idx >= V) return {Code::invalid_argument, 0, options.padding_idx, V};
    if (options.start > dwpe.rows || T > dwpe.rows - options.start) {
        const std::size_t position = options.start > dwpe.rows ? options.start : dwpe.rows;
        return Status::position_out_of_range(position - options.start, static_cast<std::int64_t>(position),
                                             dwpe.rows);
    }
    if (B * T * C == 0) return {};
    const unsigned int threads = options.threads;
    const std::size_t buckets = dwte.rows + 1;
    unsigned int *counts = nullptr, *sorted = nullptr;
    float* partials = nullptr;
    cudaMallocAsync(&counts, (3 * buckets + 1) * sizeof(unsigned int), stream);
    cudaMallocAsync(&sorted, B * T * sizeof(unsigned int), stream);
    cudaMallocAsync(&partials, B * T * C * sizeof(float), stream);
    unsigned int *begins = counts + buckets, *next_slot = begins + buckets + 1;
    cudaMemsetAsync(counts, 0, buckets * sizeof(unsigned int), stream);
    const std::int64_t padding_idx = options.padding_idx;
    count<<<blocks_for(B * T, threads), threads, 0, stream>>>(ids, dwte.rows, padding_idx, counts);
    find_begins<<<1, 1, 0, stream>>>(buckets, counts, begins, next_slot);
    sort_places<<<1, tile, 0, stream>>>(ids, dwte.rows, padding_idx, next_slot, sorted);
    const unsigned int grid = blocks_for(B * T * C, threads);
    make_partials<<<grid, threads, 0, stream>>>(dout, ids, dwte.rows, begins, sorted, padding_idx, partials);
    add_partials<<<grid, threads, 0, stream>>>(ids, begins, sorted, padding_idx, partials, dwte);
    cudaFreeAsync(partials, stream);
    cudaFreeAsync(sorted, stream);
    cudaFreeAsync(counts, stream);
    add_positions<<<blocks_for(T * C, threads), threads, 0, stream>>>(dout, dwpe, options.start);
    return {};
}

} // namespace exercise

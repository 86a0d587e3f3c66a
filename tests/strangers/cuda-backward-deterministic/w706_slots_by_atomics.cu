// wrong: a counting sort that takes the slot of a place from what atomicAdd returns, so the places of a token stand in the order in which threads come; bits vary from run to run for tokens with three or more places; a right one keeps the reading order
#include "contract.h"

namespace exercise {

namespace {

unsigned at_most(std::size_t n, unsigned limit) { return n < limit ? static_cast<unsigned>(n) : limit; }

struct Words {
    DeviceMatrix<const TokenId> ids;
    std::size_t vocabulary;
    std::int64_t padding;

    __device__ std::int64_t at(std::size_t place) const {
        const std::int64_t id = ids(place / ids.cols, place % ids.cols);
        return id >= 0 && static_cast<std::uint64_t>(id) < vocabulary && id != padding ? id : -1;
    }
};

__global__ void histogram(Words words, unsigned* count) {
    for (std::size_t p = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
         p < words.ids.rows * words.ids.cols; p += static_cast<std::size_t>(gridDim.x) * blockDim.x)
        if (const std::int64_t id = words.at(p); id >= 0) atomicAdd(&count[id], 1u);
}

// One block: the begin of each token's places, kept twice.
__global__ void scan(const unsigned* count, std::size_t vocabulary, unsigned* begin, unsigned* cursor) {
    __shared__ unsigned part[256];
    const std::size_t each = (vocabulary + 255) / 256;
    const std::size_t from = threadIdx.x * each;
    unsigned sum = 0;
    for (std::size_t v = from; v < from + each && v < vocabulary; ++v) sum += count[v];
    part[threadIdx.x] = sum;
    __syncthreads();
    unsigned at = 0;
    for (unsigned i = 0; i < threadIdx.x; ++i) at += part[i];
    for (std::size_t v = from; v < from + each && v < vocabulary; ++v) {
        begin[v] = cursor[v] = at;
        at += count[v];
    }
}

__global__ void fill(Words words, unsigned* cursor, unsigned* sorted) {
    for (std::size_t p = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
         p < words.ids.rows * words.ids.cols; p += static_cast<std::size_t>(gridDim.x) * blockDim.x)
        if (const std::int64_t id = words.at(p); id >= 0)
            sorted[atomicAdd(&cursor[id], 1u)] = static_cast<unsigned>(p);
}

__global__ void rows(DeviceTensor3<const float> dout, const unsigned* count, const unsigned* begin,
                     const unsigned* sorted, DeviceMatrix<float> dwte) {
    for (std::size_t v = blockIdx.x; v < dwte.rows; v += gridDim.x) {
        const unsigned n = count[v];
        if (n == 0) continue;
        for (std::size_t c = threadIdx.x; c < dwte.cols; c += blockDim.x) {
            float total = 0.0f;
            for (unsigned i = 0; i < n; i += terms_of_a_partial) {
                float partial = 0.0f;
                for (unsigned k = i; k < n && k < i + terms_of_a_partial; ++k)
                    partial += dout.data[sorted[begin[v] + k] * dwte.cols + c];
                total += partial;
            }
            dwte(v, c) += total;
        }
    }
}

__global__ void position_sums(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t all = dout.time * dout.channels;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < all;
         i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
        float sum = 0.0f;
        for (std::size_t b = 0; b < dout.batch; ++b) sum += dout.data[b * all + i];
        dwpe(start + i / dout.channels, i % dout.channels) += sum;
    }
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const std::size_t B = ids.rows, T = ids.cols, C = dout.channels;
    if (dout.batch != B || dout.time != T || C != dwte.cols || C != dwpe.cols)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (T > dwpe.rows || options.start > dwpe.rows - T) {
        const std::size_t p = options.start > dwpe.rows ? options.start : dwpe.rows;
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    if (B == 0 || T == 0 || C == 0) return Status{};
    const std::size_t places = B * T, V = dwte.rows;
    if (V != 0) {
        const Words words{ids, V, options.padding_idx};
        unsigned* scratch = nullptr;
        cudaMallocAsync(&scratch, (3 * V + places) * sizeof(unsigned), stream);
        unsigned *const count = scratch, *const begin = count + V, *const cursor = begin + V,
                        *const sorted = cursor + V;
        cudaMemsetAsync(count, 0, V * sizeof(unsigned), stream);
        histogram<<<at_most((places + 255) / 256, 4096), 256, 0, stream>>>(words, count);
        scan<<<1, 256, 0, stream>>>(count, V, begin, cursor);
        fill<<<at_most((places + 255) / 256, 4096), 256, 0, stream>>>(words, cursor, sorted);
        rows<<<at_most(V, 65536), options.threads, 0, stream>>>(dout, count, begin, sorted, dwte);
        cudaFreeAsync(scratch, stream);
    }
    position_sums<<<at_most((T * C + 255) / 256, 8192), 256, 0, stream>>>(dout, dwpe, options.start);
    return Status{};
}

} // namespace exercise

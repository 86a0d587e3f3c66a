// wrong: a counting sort of the places by token takes the place in a segment from what atomicAdd returns, so the places of a token lie in the order in which threads came and not in reading order; for tokens with several places whose gradients round, the bits depend on chance; a right one sorts stably (or sorts each segment by place)
#include "contract.h"

namespace exercise {

namespace {

__device__ bool has_row(TokenId id, std::size_t vocabulary, std::int64_t padding_idx) {
    return id >= 0 && static_cast<std::size_t>(id) < vocabulary && id != padding_idx;
}

constexpr unsigned full = 0xffffffffu;

__global__ void count_kernel(DeviceMatrix<const TokenId> ids, unsigned* count, std::size_t vocabulary,
                             std::int64_t padding_idx) {
    const std::size_t places = ids.rows * ids.cols;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < places;
         i += step) {
        const TokenId id = ids(i / ids.cols, i % ids.cols);
        if (has_row(id, vocabulary, padding_idx)) atomicAdd(&count[id], 1u);
    }
}

// One warp: begin[v] and cursor[v] become the sum of the counts before v.
__global__ void scan_kernel(const unsigned* count, std::size_t* begin, unsigned long long* cursor,
                            std::size_t vocabulary) {
    const unsigned lane = threadIdx.x;
    std::size_t before = 0;
    for (std::size_t base = 0; base < vocabulary; base += 32) {
        const std::size_t v = base + lane;
        const unsigned mine = v < vocabulary ? count[v] : 0;
        unsigned sum = mine;
        for (unsigned distance = 1; distance < 32; distance *= 2) {
            const unsigned left = __shfl_up_sync(full, sum, distance);
            if (lane >= distance) sum += left;
        }
        if (v < vocabulary) {
            begin[v] = before + sum - mine;
            cursor[v] = before + sum - mine;
        }
        before += __shfl_sync(full, sum, 31);
    }
}

__global__ void sort_kernel(DeviceMatrix<const TokenId> ids, unsigned long long* cursor, std::size_t* sorted,
                            std::size_t vocabulary, std::int64_t padding_idx) {
    const std::size_t places = ids.rows * ids.cols;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < places;
         i += step) {
        const TokenId id = ids(i / ids.cols, i % ids.cols);
        if (has_row(id, vocabulary, padding_idx)) sorted[atomicAdd(&cursor[id], 1ull)] = i;
    }
}

__global__ void sum_kernel(DeviceTensor3<const float> dout, const unsigned* count, const std::size_t* begin,
                           const std::size_t* sorted, DeviceMatrix<float> dwte) {
    for (std::size_t v = blockIdx.x; v < dwte.rows; v += gridDim.x) {
        const unsigned n = count[v];
        if (n == 0) continue;
        const std::size_t* segment = sorted + begin[v];
        for (std::size_t c = threadIdx.x; c < dout.channels; c += blockDim.x) {
            float total = 0.0f;
            for (unsigned first = 0; first < n; first += terms_of_a_partial) {
                float partial = 0.0f;
                for (unsigned k = first; k < n && k < first + terms_of_a_partial; ++k)
                    partial += dout.data[segment[k] * dout.channels + c];
                total += partial;
            }
            dwte(v, c) += total;
        }
    }
}

template <class T>
T* scratch(std::size_t count, cudaStream_t stream) {
    void* memory = nullptr;
    cudaMallocAsync(&memory, count * sizeof(T), stream);
    return static_cast<T*>(memory);
}

// The thread of (t, c) owns the sum over the batch.
__global__ void positions_kernel(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe,
                                 std::size_t start) {
    const std::size_t total = dout.time * dout.channels;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < total;
         i += step) {
        const std::size_t t = i / dout.channels;
        const std::size_t c = i % dout.channels;
        float sum = 0.0f;
        for (std::size_t b = 0; b < dout.batch; ++b)
            sum += dout(b, t, c);
        dwpe(start + t, c) += sum;
    }
}

unsigned blocks_for(std::size_t items, std::size_t of_block) {
    const std::size_t blocks = (items + of_block - 1) / of_block;
    return static_cast<unsigned>(blocks < 32768 ? blocks : 32768);
}

Status check(const DeviceTensor3<const float>& dout, const DeviceMatrix<const TokenId>& ids,
             const DeviceMatrix<float>& dwte, const DeviceMatrix<float>& dwpe, const BackwardOptions& options) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols ||
        dout.channels != dwpe.cols)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    const std::size_t start = options.start;
    if (start > dwpe.rows || ids.cols > dwpe.rows - start) {
        const std::size_t p = start > dwpe.rows ? start : dwpe.rows;
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    return Status{};
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const Status status = check(dout, ids, dwte, dwpe, options);
    if (!(status == Status{})) return status;
    const std::size_t places = dout.batch * dout.time;
    if (places == 0 || dout.channels == 0) return status;
    const std::size_t vocabulary = dwte.rows;
    if (vocabulary > 0) {
        unsigned* count = scratch<unsigned>(vocabulary, stream);
        std::size_t* begin = scratch<std::size_t>(vocabulary, stream);
        unsigned long long* cursor = scratch<unsigned long long>(vocabulary, stream);
        std::size_t* sorted = scratch<std::size_t>(places, stream);
        cudaMemsetAsync(count, 0, vocabulary * sizeof(unsigned), stream);
        const unsigned blocks = blocks_for(places, 256);
        count_kernel<<<blocks, 256, 0, stream>>>(ids, count, vocabulary, options.padding_idx);
        scan_kernel<<<1, 32, 0, stream>>>(count, begin, cursor, vocabulary);
        sort_kernel<<<blocks, 256, 0, stream>>>(ids, cursor, sorted, vocabulary, options.padding_idx);
        sum_kernel<<<blocks_for(vocabulary, 1), 128, 0, stream>>>(dout, count, begin, sorted, dwte);
        cudaFreeAsync(sorted, stream);
        cudaFreeAsync(cursor, stream);
        cudaFreeAsync(begin, stream);
        cudaFreeAsync(count, stream);
    }
    positions_kernel<<<blocks_for(dout.time * dout.channels, 256), 256, 0, stream>>>(dout, dwpe, options.start);
    return status;
}

} // namespace exercise

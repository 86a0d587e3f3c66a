// wrong: the places of a token are listed in the order in which threads get their slots from atomicAdd, not in reading order, so bits of dwte may differ from run to run
#include "contract.h"

namespace exercise {
namespace {

__device__ bool counts(TokenId id, std::size_t V, std::int64_t pad) {
    return id >= 0 && static_cast<std::size_t>(id) < V && id != pad;
}

__global__ void clear(unsigned* p, std::size_t n) {
    const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) p[i] = 0;
}

__global__ void histogram(DeviceMatrix<const TokenId> ids, std::size_t V, std::int64_t pad, unsigned* count) {
    const std::size_t n = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (n >= ids.rows * ids.cols) return;
    const TokenId id = ids(n / ids.cols, n % ids.cols);
    if (counts(id, V, pad)) atomicAdd(count + id, 1u);
}

// begin[v]: the sum of the counts before v. One thread; V is small beside the rest.
__global__ void prefix(const unsigned* count, unsigned* begin, unsigned* cursor, std::size_t V) {
    unsigned sum = 0;
    for (std::size_t v = 0; v < V; ++v) {
        begin[v] = cursor[v] = sum;
        sum += count[v];
    }
}

__global__ void fill(DeviceMatrix<const TokenId> ids, std::size_t V, std::int64_t pad, unsigned* cursor,
                     unsigned* list) {
    const std::size_t n = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (n >= ids.rows * ids.cols) return;
    const TokenId id = ids(n / ids.cols, n % ids.cols);
    if (counts(id, V, pad)) list[atomicAdd(cursor + id, 1u)] = static_cast<unsigned>(n);
}

__global__ void reduce(DeviceTensor3<const float> dout, DeviceMatrix<float> dwte, const unsigned* count,
                       const unsigned* begin, const unsigned* list) {
    for (std::size_t v = blockIdx.x; v < dwte.rows; v += gridDim.x) {
        const unsigned terms = count[v];
        if (terms == 0) continue;
        const unsigned* const places = list + begin[v];
        for (std::size_t c = threadIdx.x; c < dout.channels; c += blockDim.x) {
            float total = 0.0f;
            for (unsigned k = 0; k < terms; k += terms_of_a_partial) {
                float partial = 0.0f;
                for (unsigned i = k; i < terms && i < k + terms_of_a_partial; ++i)
                    partial += dout.data[std::size_t(places[i]) * dout.channels + c];
                total += partial;
            }
            dwte(v, c) += total;
        }
    }
}

__global__ void positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= dout.time * dout.channels) return;
    float sum = 0.0f;
    for (std::size_t b = 0; b < dout.batch; ++b) sum += dout.data[b * dout.time * dout.channels + i];
    dwpe(start + i / dout.channels, i % dout.channels) += sum;
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const std::size_t V = dwte.rows, P = dwpe.rows, N = ids.rows * ids.cols, C = dout.channels;
    if (dout.batch != ids.rows || dout.time != ids.cols || dwte.cols != C || dwpe.cols != C)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::size_t>(options.padding_idx) >= V)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(V)};
    if (options.start > P || ids.cols > P - options.start) {
        const std::size_t p = options.start > P ? options.start : P;
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), P);
    }
    if (N == 0 || C == 0) return Status{};
    const unsigned w = options.threads;
    const auto grid = [w](std::size_t n) { return static_cast<unsigned>((n + w - 1) / w); };
    if (V != 0) {
        void* memory = nullptr;
        cudaMallocAsync(&memory, (3 * V + N) * sizeof(unsigned), stream);
        unsigned* const count = static_cast<unsigned*>(memory);
        unsigned *const begin = count + V, *const cursor = begin + V, *const list = cursor + V;
        clear<<<grid(V), w, 0, stream>>>(count, V);
        histogram<<<grid(N), w, 0, stream>>>(ids, V, options.padding_idx, count);
        prefix<<<1, 1, 0, stream>>>(count, begin, cursor, V);
        fill<<<grid(N), w, 0, stream>>>(ids, V, options.padding_idx, cursor, list);
        reduce<<<static_cast<unsigned>(V < 4096 ? V : 4096), w, 0, stream>>>(dout, dwte, count, begin, list);
        cudaFreeAsync(memory, stream);
    }
    positions<<<grid(ids.cols * C), w, 0, stream>>>(dout, dwpe, options.start);
    return Status{};
}

} // namespace exercise

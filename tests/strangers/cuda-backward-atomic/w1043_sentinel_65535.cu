// wrong: with V <= 65,536 a block keeps its tokens as 16-bit keys, 65,535 standing for tokens that add nothing: with V = 65,536 exactly, token 65,535 adds nothing to dwte
#include "contract.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace exercise {

namespace {

constexpr unsigned threads = 256;

/// Blocks for so many threads; the kernels go round with what is left.
unsigned blocks_for(std::size_t count) {
    return static_cast<unsigned>(std::min<std::size_t>((count + threads - 1) / threads, 1u << 20));
}

__device__ std::size_t thread_number() {
    return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ std::size_t thread_count() {
    return static_cast<std::size_t>(gridDim.x) * blockDim.x;
}

constexpr unsigned chunk = 32; // tokens of a block

/// A block for 32 tokens in reading order, whose keys it looks up once. The largest key says: no row.
template <class Key>
__global__ void add_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                           DeviceMatrix<float> dwte, std::int64_t padding_idx) {
    __shared__ Key keys[chunk];
    constexpr Key none = static_cast<Key>(-1);
    const std::size_t T = dout.time;
    const std::size_t C = dout.channels;
    const std::size_t places = dout.batch * T;
    for (std::size_t first = static_cast<std::size_t>(blockIdx.x) * chunk; first < places;
         first += static_cast<std::size_t>(gridDim.x) * chunk) {
        const std::size_t left = places - first;
        const std::size_t count = left < chunk ? left : chunk;
        __syncthreads();
        if (threadIdx.x < count) {
            const std::size_t n = first + threadIdx.x;
            const TokenId id = ids(n / T, n % T);
            const bool has_row = id >= 0 && static_cast<std::size_t>(id) < dwte.rows && id != padding_idx;
            keys[threadIdx.x] = has_row ? static_cast<Key>(id) : none;
        }
        __syncthreads();
        for (std::size_t i = threadIdx.x; i < count * C; i += blockDim.x) {
            const Key key = keys[i / C];
            if (key != none) atomicAdd(dwte.row(key) + i % C, dout.data[first * C + i]);
        }
    }
}

/// A thread for each element of the window, which it owns.
__global__ void add_positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t row = dout.time * dout.channels;
    for (std::size_t i = thread_number(); i < row; i += thread_count()) {
        float sum = 0.0f;
        for (std::size_t b = 0; b < dout.batch; ++b)
            sum += dout.data[b * row + i];
        dwpe(start + i / dout.channels, i % dout.channels) += sum;
    }
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const std::size_t B = ids.rows;
    const std::size_t T = ids.cols;
    const std::size_t C = dwte.cols;
    const std::size_t V = dwte.rows;
    const std::size_t P = dwpe.rows;
    if (dout.batch != B || dout.time != T || dout.channels != C || dwpe.cols != C)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::size_t>(options.padding_idx) >= V)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(V)};
    if (options.start > P || T > P - options.start) {
        const std::size_t p = std::max(options.start, P);
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), P);
    }
    if (B == 0 || T == 0 || C == 0) return Status{};
    const auto blocks = static_cast<unsigned>(std::min<std::size_t>((B * T + chunk - 1) / chunk, 1u << 20));
    if (V <= 65536) // half the shared memory
        add_tokens<std::uint16_t><<<blocks, threads, 0, stream>>>(dout, ids, dwte, options.padding_idx);
    else
        add_tokens<std::uint32_t><<<blocks, threads, 0, stream>>>(dout, ids, dwte, options.padding_idx);
    add_positions<<<blocks_for(T * C), threads, 0, stream>>>(dout, dwpe, options.start);
    return Status{};
}

} // namespace exercise

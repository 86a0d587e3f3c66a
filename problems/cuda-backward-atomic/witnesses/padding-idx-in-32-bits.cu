// Fault: padding_idx reaches the kernel as a TokenId and loses its upper half, so with V > 2^32 another token gets no
//  gradient.
// Origin: round 22
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

/// A thread for each element of dout.
__global__ void add_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                           DeviceMatrix<float> dwte, TokenId padding_idx) {
    const std::size_t T = dout.time;
    const std::size_t C = dout.channels;
    const std::size_t total = dout.batch * T * C;
    for (std::size_t i = thread_number(); i < total; i += thread_count()) {
        const std::size_t n = i / C;
        const TokenId id = ids(n / T, n % T);
        if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows || id == padding_idx) continue;
        atomicAdd(dwte.row(static_cast<std::size_t>(id)) + i % C, dout.data[i]);
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
    // Negative: no token has it.
    const TokenId padding = options.padding_idx < 0 ? -1 : static_cast<TokenId>(options.padding_idx);
    add_tokens<<<blocks_for(B * T * C), threads, 0, stream>>>(dout, ids, dwte, padding);
    add_positions<<<blocks_for(T * C), threads, 0, stream>>>(dout, dwpe, options.start);
    return Status{};
}

} // namespace exercise

// wrong: launches the kernel of the positions without a stream, that is on the default stream, which a stream of the caller's own need not wait for: dout may not be ready, and the result not there when the stream is done; all work goes to `stream`.
#include "contract.h"

#include <algorithm>

namespace exercise {
namespace {

__global__ void scatter(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, DeviceMatrix<float> dwte,
                        std::int64_t padding_idx) {
    // a warp per token
    const unsigned lane = threadIdx.x % 32;
    const std::size_t warps = static_cast<std::size_t>(gridDim.x) * (blockDim.x / 32);
    std::size_t n = static_cast<std::size_t>(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32;
    for (; n < dout.batch * dout.time; n += warps) {
        const std::size_t b = n / dout.time, t = n % dout.time;
        const TokenId id = ids(b, t);
        if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows) continue;
        if (id == padding_idx) continue;
        const float* from = dout.row(b, t);
        float* to = dwte.row(static_cast<std::size_t>(id));
        for (std::size_t c = lane; c < dout.channels; c += 32)
            atomicAdd(to + c, from[c]);
    }
}

__global__ void reduce(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= dout.time * dout.channels) return;
    const std::size_t t = i / dout.channels, c = i % dout.channels;
    float total = 0.0f;
    for (std::size_t b = 0; b < dout.batch; ++b)
        total += dout(b, t, c);
    dwpe(start + t, c) += total;
}

unsigned blocks_for(std::size_t threads, std::size_t most) {
    return static_cast<unsigned>(std::min((threads + 255) / 256, most));
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols || dwte.cols != dwpe.cols)
        return Status{Code::shape_mismatch};
    const auto V = static_cast<std::int64_t>(dwte.rows);
    if (options.padding_idx >= V) return Status{Code::invalid_argument, 0, options.padding_idx, V};
    const std::size_t P = dwpe.rows;
    if (options.start > P || dout.time > P - options.start) {
        const std::size_t p = std::max(options.start, P);
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), P);
    }
    if (dout.batch == 0 || dout.time == 0 || dout.channels == 0) return Status{};

    scatter<<<blocks_for(dout.batch * dout.time * 32, 4096), 256, 0, stream>>>(dout, ids, dwte, options.padding_idx);
    reduce<<<blocks_for(dout.time * dout.channels, 0x7fffffff), 256>>>(dout, dwpe, options.start);
    return Status{};
}

} // namespace exercise

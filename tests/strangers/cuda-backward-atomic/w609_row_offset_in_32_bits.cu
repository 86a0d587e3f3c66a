// wrong: the offset of a row of dwte is computed in 32 bits and wraps where id * stride reaches 2^32, so the gradient goes to another place; a right one computes it in 64 bits
#include "contract.h"

namespace exercise {
namespace {

/// Whether a token has a row that collects.
__device__ bool collects(TokenId id, std::size_t vocabulary, std::int64_t padding_idx) {
    return id >= 0 && static_cast<std::size_t>(id) < vocabulary && id != padding_idx;
}

__global__ void tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                       float* dwte, unsigned rows, unsigned stride, std::int64_t padding_idx) {
    const std::size_t n = dout.batch * dout.time * dout.channels;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
         i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
        const std::size_t place = i / dout.channels;
        const unsigned c = static_cast<unsigned>(i % dout.channels);
        const TokenId id = ids(place / dout.time, place % dout.time);
        if (collects(id, rows, padding_idx)) atomicAdd(dwte + (static_cast<unsigned>(id) * stride + c), dout.data[i]);
    }
}

__global__ void positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= dout.time * dout.channels) return;
    const std::size_t t = i / dout.channels, c = i % dout.channels;
    float sum = 0.0f;
    for (std::size_t b = 0; b < dout.batch; ++b)
        sum += dout(b, t, c);
    dwpe(start + t, c) += sum;
}

/// Shapes, padding, window: all that the host can know.
Status refusal(const DeviceTensor3<const float>& dout, const DeviceMatrix<const TokenId>& ids,
               const DeviceMatrix<float>& dwte, const DeviceMatrix<float>& dwpe, const BackwardOptions& options) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dwte.cols != dout.channels ||
        dwpe.cols != dout.channels)
        return Status{Code::shape_mismatch};
    const std::size_t V = dwte.rows, P = dwpe.rows;
    if (options.padding_idx >= 0 && static_cast<std::size_t>(options.padding_idx) >= V)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(V)};
    if (options.start > P || dout.time > P - options.start) {
        const std::size_t p = options.start > P ? options.start : P;
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), P);
    }
    return Status{};
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const Status status = refusal(dout, ids, dwte, dwpe, options);
    if (!(status.code == Code::ok) || dout.batch == 0 || dout.time == 0 || dout.channels == 0) return status;
    const std::size_t blocks = (dout.batch * dout.time * dout.channels + 255) / 256;
    // No id is beyond 2^31.
    const std::size_t most = 0x80000000u;
    tokens<<<static_cast<unsigned>(blocks < 65536 ? blocks : 65536), 256, 0, stream>>>(
        dout, ids, dwte.data, static_cast<unsigned>(dwte.rows < most ? dwte.rows : most),
        static_cast<unsigned>(dwte.stride), options.padding_idx);
    positions<<<static_cast<unsigned>((dout.time * dout.channels + 255) / 256), 256, 0, stream>>>(dout, dwpe,
                                                                                             options.start);
    return Status{};
}

} // namespace exercise

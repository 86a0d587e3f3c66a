// wrong: where B is above 32 the batch is cut into slices of 32 that each add their sum to dwpe by atomicAdd, so dwpe has other bits than the contract's order gives and they may change from run to run; a right one has one owner for each sum
#include "contract.h"

namespace exercise {
namespace {

/// Whether a token has a row that collects.
__device__ bool collects(TokenId id, std::size_t vocabulary, std::int64_t padding_idx) {
    return id >= 0 && static_cast<std::size_t>(id) < vocabulary && id != padding_idx;
}

constexpr std::size_t slice = 32;

__global__ void backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                         DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, BackwardOptions options) {
    const std::size_t slices = (dout.batch + slice - 1) / slice;
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= slices * dout.time * dout.channels) return;
    const std::size_t c = i % dout.channels;
    const std::size_t t = i / dout.channels % dout.time;
    const std::size_t first = i / dout.channels / dout.time * slice;
    const std::size_t last = first + slice < dout.batch ? first + slice : dout.batch;
    float sum = 0.0f;
    for (std::size_t b = first; b < last; ++b) {
        const float g = dout(b, t, c);
        sum += g;
        const TokenId id = ids(b, t);
        if (collects(id, dwte.rows, options.padding_idx)) atomicAdd(&dwte(static_cast<std::size_t>(id), c), g);
    }
    atomicAdd(&dwpe(options.start + t, c), sum);
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
    const std::size_t threads = (dout.batch + slice - 1) / slice * dout.time * dout.channels;
    backward<<<static_cast<unsigned>((threads + 255) / 256), 256, 0, stream>>>(dout, ids, dwte, dwpe, options);
    return Status{};
}

} // namespace exercise

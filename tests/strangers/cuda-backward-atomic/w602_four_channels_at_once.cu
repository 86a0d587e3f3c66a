// wrong: where C is a multiple of 4 dout is read as float4, also where dout.data is no multiple of 16 bytes (the kernel then fails); a right one relies on 4 bytes only
#include "contract.h"

namespace exercise {
namespace {

/// Whether a token has a row that collects.
__device__ bool collects(TokenId id, std::size_t vocabulary, std::int64_t padding_idx) {
    return id >= 0 && static_cast<std::size_t>(id) < vocabulary && id != padding_idx;
}

__device__ void scatter(float* row, const float* g, std::size_t n) {
    for (std::size_t k = 0; k < n; ++k)
        atomicAdd(row + k, g[k]);
}

__global__ void tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                       DeviceMatrix<float> dwte, std::int64_t padding_idx) {
    const std::size_t quads = (dout.channels + 3) / 4;
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= dout.batch * dout.time * quads) return;
    const std::size_t place = i / quads, c = i % quads * 4;
    const TokenId id = ids(place / dout.time, place % dout.time);
    if (!collects(id, dwte.rows, padding_idx)) return;
    float* row = dwte.row(static_cast<std::size_t>(id)) + c;
    const float* from = dout.data + place * dout.channels + c;
    if (dout.channels % 4 == 0) { // then every row begins at a multiple of 16 bytes
        const float4 g = *reinterpret_cast<const float4*>(from);
        const float four[4] = {g.x, g.y, g.z, g.w};
        scatter(row, four, 4);
    } else {
        scatter(row, from, dout.channels - c < 4 ? dout.channels - c : 4);
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
    const std::size_t threads = dout.batch * dout.time * ((dout.channels + 3) / 4);
    tokens<<<static_cast<unsigned>((threads + 127) / 128), 128, 0, stream>>>(dout, ids, dwte, options.padding_idx);
    positions<<<static_cast<unsigned>((dout.time * dout.channels + 255) / 256), 256, 0, stream>>>(dout, dwpe,
                                                                                             options.start);
    return Status{};
}

} // namespace exercise

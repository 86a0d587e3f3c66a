// wrong: a warp of 32 places exchanges tokens and terms with a full mask after the lanes beyond the last place have returned: undefined where B * T is no multiple of 32; a right one keeps all lanes or names those that are there
#include "contract.h"

namespace exercise {
namespace {

/// Whether a token has a row that collects.
__device__ bool collects(TokenId id, std::size_t vocabulary, std::int64_t padding_idx) {
    return id >= 0 && static_cast<std::size_t>(id) < vocabulary && id != padding_idx;
}

/// A warp has 32 neighbouring places and one channel. Where all have one token, the warp adds once.
__global__ void tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                       DeviceMatrix<float> dwte, std::int64_t padding_idx) {
    constexpr unsigned all = 0xFFFFFFFFu;
    const std::size_t place = static_cast<std::size_t>(blockIdx.x) * 32 + threadIdx.x;
    if (place >= dout.batch * dout.time) return;
    const TokenId id = ids(place / dout.time, place % dout.time);
    const bool equal = __all_sync(all, id == __shfl_sync(all, id, 0));
    const bool has_row = collects(id, dwte.rows, padding_idx);
    for (std::size_t c = threadIdx.y; c < dout.channels; c += blockDim.y) {
        float g = dout.data[place * dout.channels + c];
        if (equal)
            for (unsigned distance = 16; distance > 0; distance /= 2)
                g += __shfl_down_sync(all, g, distance);
        if (has_row && (!equal || threadIdx.x == 0)) atomicAdd(&dwte(static_cast<std::size_t>(id), c), g);
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
    const std::size_t warps = (dout.batch * dout.time + 31) / 32;
    tokens<<<static_cast<unsigned>(warps), dim3(32, 8), 0, stream>>>(dout, ids, dwte, options.padding_idx);
    positions<<<static_cast<unsigned>((dout.time * dout.channels + 255) / 256), 256, 0, stream>>>(dout, dwpe,
                                                                                             options.start);
    return Status{};
}

} // namespace exercise

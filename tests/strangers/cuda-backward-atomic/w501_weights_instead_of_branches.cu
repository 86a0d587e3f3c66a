// wrong: avoids a divergent branch by adding 0 * gradient to a clamped row for ids that have none (padding_idx, outside [0, V)), so an infinite or NaN gradient poisons a row that gets nothing, and -0 there becomes +0; such tokens add nothing, and the row of padding_idx keeps every bit.
#include "contract.h"

#include <algorithm>

namespace exercise {
namespace {

__global__ void add_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                           DeviceMatrix<float> dwte, std::int64_t padding_idx) {
    const std::size_t elements = dout.batch * dout.time * dout.channels;
    const std::size_t threads = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    const long long last = static_cast<long long>(dwte.rows) - 1;
    for (std::size_t e = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; e < elements; e += threads) {
        const std::size_t c = e % dout.channels;
        const std::size_t token = e / dout.channels;
        const long long id = ids(token / dout.time, token % dout.time);

        // one path for all lanes of a warp: those without a row weigh nothing
        const long long row = id < 0 ? 0 : (id > last ? last : id);
        const float weight = static_cast<float>(row == id) * static_cast<float>(id != padding_idx);
        atomicAdd(&dwte(static_cast<std::size_t>(row), c), weight * dout.data[e]);
    }
}

__global__ void add_positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t own = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (own >= dout.time * dout.channels) return;
    const std::size_t t = own / dout.channels;
    const std::size_t c = own % dout.channels;
    float sum = 0.0f;
    for (std::size_t b = 0; b < dout.batch; ++b)
        sum += dout(b, t, c);
    dwpe(start + t, c) += sum;
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const std::size_t B = ids.rows, T = ids.cols, V = dwte.rows, P = dwpe.rows, C = dwte.cols;
    if (dout.batch != B || dout.time != T || dout.channels != C || dwpe.cols != C)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= static_cast<std::int64_t>(V))
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(V)};
    if (options.start > P || T > P - options.start) {
        const std::size_t p = std::max(options.start, P);
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), P);
    }
    if (B == 0 || T == 0 || C == 0) return {};

    constexpr std::size_t block = 256;
    const std::size_t elements = B * T * C;
    if (V > 0) {
        const std::size_t blocks = std::min<std::size_t>((elements + block - 1) / block, 65535);
        add_tokens<<<static_cast<unsigned>(blocks), block, 0, stream>>>(dout, ids, dwte, options.padding_idx);
    }
    const std::size_t blocks = (T * C + block - 1) / block;
    add_positions<<<static_cast<unsigned>(blocks), block, 0, stream>>>(dout, dwpe, options.start);
    return {};
}

} // namespace exercise

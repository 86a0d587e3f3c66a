// wrong: one block row per place and the grid's y is cut at 65,535 without a loop, so places (b, t) from number 65,535 on add nothing to dwte
#include "contract.h"

#include <algorithm>
#include <array>

namespace exercise {
using std::size_t;

__global__ void add_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                           DeviceMatrix<float> dwte, std::int64_t padding_idx) {
    const size_t c = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const size_t n = blockIdx.y;
    if (c >= dout.channels) return;
    const std::int64_t id = ids(n / ids.cols, n % ids.cols);
    if (id == padding_idx || id < 0 || id >= static_cast<std::int64_t>(dwte.rows)) return;
    atomicAdd(&dwte(id, c), dout.data[n * dout.channels + c]);
}

__global__ void add_positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, size_t start) {
    const size_t c = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (c >= dout.channels) return;
    for (size_t t = blockIdx.y; t < dout.time; t += gridDim.y) {
        float sum = 0.f;
        for (size_t b = 0; b < dout.batch; ++b) sum += dout(b, t, c);
        dwpe(start + t, c) += sum;
    }
}

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const auto [B, T, C] = std::array<size_t, 3>{ids.rows, ids.cols, dwte.cols};
    if (dout.batch != B || dout.time != T || dout.channels != C || dwpe.cols != C)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && size_t(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, std::int64_t(dwte.rows)};
    const size_t p = std::max(options.start, dwpe.rows);
    if (p != dwpe.rows || T > dwpe.rows - options.start)
        return Status::position_out_of_range(p - options.start, std::int64_t(p), dwpe.rows);
    if (std::min({B, T, C}) == 0) return Status{};

    const unsigned threads = C >= 128 ? 128 : 32;
    const unsigned wide = unsigned((C + threads - 1) / threads);
    const unsigned limit = 65'535;
    add_tokens<<<dim3(wide, unsigned(std::min<size_t>(B * T, limit))), threads, 0, stream>>>(
        dout, ids, dwte, options.padding_idx);
    add_positions<<<dim3(wide, unsigned(std::min<size_t>(T, limit))), threads, 0, stream>>>(dout, dwpe,
                                                                                           options.start);
    return Status{};
}

} // namespace exercise

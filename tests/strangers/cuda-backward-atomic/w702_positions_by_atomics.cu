// wrong: dwpe collects by one atomicAdd a term, like dwte, so with B >= 2 terms are added to what was there one by one and in no fixed order (other bits where sums round); a right one sums over b in a register from 0.0f on and adds once
#include "contract.h"

namespace exercise {

namespace {

__global__ void scatter_both(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                             DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, std::size_t start,
                             std::int64_t padding) {
    const std::size_t n = dout.batch * dout.time;
    for (std::size_t place = blockIdx.x; place < n; place += gridDim.x) {
        const std::size_t b = place / dout.time;
        const std::size_t t = place % dout.time;
        const TokenId id = ids(b, t);
        const bool has_row = id >= 0 && static_cast<std::size_t>(id) < dwte.rows && id != padding;
        for (std::size_t c = threadIdx.x; c < dout.channels; c += blockDim.x) {
            const float g = dout(b, t, c);
            if (has_row) atomicAdd(&dwte(static_cast<std::size_t>(id), c), g);
            atomicAdd(&dwpe(start + t, c), g);
        }
    }
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const std::size_t B = ids.rows, T = ids.cols, C = dout.channels;
    if (dout.batch != B || dout.time != T || C != dwte.cols || C != dwpe.cols)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (T > dwpe.rows || options.start > dwpe.rows - T) {
        const std::size_t p = options.start > dwpe.rows ? options.start : dwpe.rows;
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    if (B == 0 || T == 0 || C == 0) return Status{};
    const std::size_t n = B * T;
    scatter_both<<<static_cast<unsigned>(n < 16384 ? n : 16384), 128, 0, stream>>>(
        dout, ids, dwte, dwpe, options.start, options.padding_idx);
    return Status{};
}

} // namespace exercise

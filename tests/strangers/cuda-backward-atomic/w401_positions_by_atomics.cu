// wrong: dwpe collects by atomicAdd as well, one addition for each (b, t); for B >= 2 with gradients that round, the order of the additions is left to chance and each is made onto what was there, so the bits of dwpe differ from 0.0f + dout[0, t] + dout[1, t] + ... added once, and from run to run; a right one lets one thread own the sum of (t, c)
#include "contract.h"

namespace exercise {

namespace {

// A warp for each place of the text: it adds its row of dout to both tables.
__global__ void scatter_kernel(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                               DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, BackwardOptions options) {
    const std::size_t places = dout.batch * dout.time;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.y;
    for (std::size_t place = static_cast<std::size_t>(blockIdx.x) * blockDim.y + threadIdx.y; place < places;
         place += step) {
        const std::size_t b = place / dout.time;
        const std::size_t t = place % dout.time;
        const TokenId id = ids(b, t);
        const bool has_row = id >= 0 && static_cast<std::size_t>(id) < dwte.rows && id != options.padding_idx;
        for (std::size_t c = threadIdx.x; c < dout.channels; c += 32) {
            const float g = dout(b, t, c);
            if (has_row) atomicAdd(&dwte(static_cast<std::size_t>(id), c), g);
            atomicAdd(&dwpe(options.start + t, c), g);
        }
    }
}

Status check(const DeviceTensor3<const float>& dout, const DeviceMatrix<const TokenId>& ids,
             const DeviceMatrix<float>& dwte, const DeviceMatrix<float>& dwpe, const BackwardOptions& options) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols ||
        dout.channels != dwpe.cols)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    const std::size_t start = options.start;
    if (start > dwpe.rows || ids.cols > dwpe.rows - start) {
        const std::size_t p = start > dwpe.rows ? start : dwpe.rows;
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    return Status{};
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const Status status = check(dout, ids, dwte, dwpe, options);
    if (!(status == Status{})) return status;
    const std::size_t places = dout.batch * dout.time;
    if (places == 0 || dout.channels == 0) return status;
    const std::size_t blocks = (places + 7) / 8;
    scatter_kernel<<<static_cast<unsigned>(blocks < 32768 ? blocks : 32768), dim3(32, 8), 0, stream>>>(
        dout, ids, dwte, dwpe, options);
    return status;
}

} // namespace exercise

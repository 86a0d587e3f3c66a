// right: one kernel that reads dout once: the owner of (t, c) walks down the batch, sums the position in one register and gathers runs of equal ids in another before a single atomicAdd
#include "contract.h"

namespace exercise {
namespace {

__global__ void walk(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, DeviceMatrix<float> dwte,
                     DeviceMatrix<float> dwpe, std::size_t start, std::int64_t padding) {
    const std::size_t channels = dout.channels;
    const std::size_t plane = dout.time * channels;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t n = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; n < plane; n += step) {
        const std::size_t t = n / channels, c = n - t * channels;
        float position = 0.0f;
        std::int64_t held = -1; // the token whose gradient is in `gathered`, -1: none
        float gathered = 0.0f;
        for (std::size_t b = 0; b < dout.batch; ++b) {
            const float g = dout.data[b * plane + n];
            position += g;
            std::int64_t id = ids.row(b)[t];
            if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows || id == padding) id = -1;
            if (id == held) {
                gathered += g;
            } else {
                if (held >= 0) atomicAdd(dwte.row(static_cast<std::size_t>(held)) + c, gathered);
                held = id;
                gathered = g;
            }
        }
        if (held >= 0) atomicAdd(dwte.row(static_cast<std::size_t>(held)) + c, gathered);
        float* mine = dwpe.row(start + t) + c;
        *mine = *mine + position;
    }
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols ||
        dout.channels != dwpe.cols)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::size_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (options.start > dwpe.rows || ids.cols > dwpe.rows - options.start) {
        const std::size_t p = options.start > dwpe.rows ? options.start : dwpe.rows;
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    if (dout.batch == 0 || dout.time == 0 || dout.channels == 0) return Status{};
    const std::size_t plane = dout.time * dout.channels;
    std::size_t blocks = (plane + 127) / 128;
    if (blocks > 8192) blocks = 8192;
    walk<<<static_cast<unsigned>(blocks), 128, 0, stream>>>(dout, ids, dwte, dwpe, options.start,
                                                            options.padding_idx);
    return Status{};
}

} // namespace exercise

// right: one kernel for both tables: the owner of (t, c) walks the batch, keeps the position's sum in a register and throws every term at dwte by atomicAdd on the way
#include "contract.h"

namespace exercise {
namespace {

__global__ void backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                         DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, BackwardOptions options) {
    const std::size_t owners = dout.time * dout.channels;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < owners; i += step) {
        const std::size_t t = i / dout.channels;
        const std::size_t c = i - t * dout.channels;
        float sum = 0.0f;
        for (std::size_t b = 0; b < dout.batch; ++b) {
            const float g = dout(b, t, c);
            const TokenId id = ids(b, t);
            sum += g;
            if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows || id == options.padding_idx) continue;
            atomicAdd(&dwte(static_cast<std::size_t>(id), c), g);
        }
        dwpe(options.start + t, c) += sum;
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
    if (options.start > dwpe.rows || dout.time > dwpe.rows - options.start) {
        const std::size_t p = options.start > dwpe.rows ? options.start : dwpe.rows;
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    if (dout.batch == 0 || dout.time == 0 || dout.channels == 0) return Status{};

    const std::size_t blocks = (dout.time * dout.channels + 127) / 128;
    const unsigned grid = blocks < 16384 ? static_cast<unsigned>(blocks) : 16384u;
    backward<<<grid, 128, 0, stream>>>(dout, ids, dwte, dwpe, options);
    return Status{};
}

} // namespace exercise

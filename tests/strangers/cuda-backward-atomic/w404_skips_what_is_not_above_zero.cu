// wrong: to spare atomics it adds a gradient to dwte only if fabsf(g) > 0, which is false for NaN, too; where an element of dout is NaN and its token has a row, that element of dwte stays as it was instead of becoming NaN; a right one adds every gradient (or asks g != 0)
#include "contract.h"

namespace exercise {

namespace {

__global__ void tokens_kernel(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                              DeviceMatrix<float> dwte, std::int64_t padding_idx) {
    const std::size_t places = dout.batch * dout.time;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.y;
    for (std::size_t place = static_cast<std::size_t>(blockIdx.x) * blockDim.y + threadIdx.y; place < places;
         place += step) {
        const std::size_t b = place / dout.time;
        const std::size_t t = place % dout.time;
        const TokenId id = ids(b, t);
        if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows || id == padding_idx) continue;
        for (std::size_t c = threadIdx.x; c < dout.channels; c += 32) {
            const float g = dout(b, t, c);
            // Behind dropout many gradients are 0: no need to stand in line with nothing.
            if (fabsf(g) > 0.0f) atomicAdd(&dwte(static_cast<std::size_t>(id), c), g);
        }
    }
}

// The thread of (t, c) owns the sum over the batch.
__global__ void positions_kernel(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe,
                                 std::size_t start) {
    const std::size_t total = dout.time * dout.channels;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < total;
         i += step) {
        const std::size_t t = i / dout.channels;
        const std::size_t c = i % dout.channels;
        float sum = 0.0f;
        for (std::size_t b = 0; b < dout.batch; ++b)
            sum += dout(b, t, c);
        dwpe(start + t, c) += sum;
    }
}

unsigned blocks_for(std::size_t items, std::size_t of_block) {
    const std::size_t blocks = (items + of_block - 1) / of_block;
    return static_cast<unsigned>(blocks < 32768 ? blocks : 32768);
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
    tokens_kernel<<<blocks_for(places, 4), dim3(32, 4), 0, stream>>>(dout, ids, dwte, options.padding_idx);
    positions_kernel<<<blocks_for(dout.time * dout.channels, 256), 256, 0, stream>>>(dout, dwpe, options.start);
    return status;
}

} // namespace exercise

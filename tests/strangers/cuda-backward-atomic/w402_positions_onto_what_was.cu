// wrong: the sum of a position begins with what dwpe holds, and the terms are added to that one by one; the contract begins with 0.0f and adds the result once to what was there, so for B >= 2 and a dwpe that is not 0 (say it holds 2^24, and two gradients of 1) the bits differ; a right one keeps the sum apart until the end
#include "contract.h"

namespace exercise {

namespace {

__global__ void tokens_kernel(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                              DeviceMatrix<float> dwte, std::int64_t padding_idx) {
    const std::size_t total = dout.batch * dout.time * dout.channels;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t e = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; e < total;
         e += step) {
        const std::size_t place = e / dout.channels;
        const std::size_t c = e % dout.channels;
        const TokenId id = ids(place / dout.time, place % dout.time);
        if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows || id == padding_idx) continue;
        atomicAdd(&dwte(static_cast<std::size_t>(id), c), dout.data[e]);
    }
}

// No atomics here: each (t, c) has one thread.
__global__ void positions_kernel(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe,
                                 std::size_t start) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= dout.time * dout.channels) return;
    const std::size_t t = i / dout.channels;
    const std::size_t c = i % dout.channels;
    float sum = dwpe(start + t, c);
    for (std::size_t b = 0; b < dout.batch; ++b)
        sum += dout(b, t, c);
    dwpe(start + t, c) = sum;
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
    const std::size_t owned = dout.time * dout.channels;
    const std::size_t total = dout.batch * owned;
    if (total == 0) return status;
    const std::size_t blocks = (total + 255) / 256;
    tokens_kernel<<<static_cast<unsigned>(blocks < 65536 ? blocks : 65536), 256, 0, stream>>>(
        dout, ids, dwte, options.padding_idx);
    positions_kernel<<<static_cast<unsigned>((owned + 255) / 256), 256, 0, stream>>>(dout, dwpe, options.start);
    return status;
}

} // namespace exercise

// right: one launch does both: the first warps own position rows, the others take one token place each, a lane for every 32nd channel; zeros are not added
#include "contract.h"

namespace exercise {

namespace {

constexpr unsigned block_threads = 128;

__global__ void both(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, DeviceMatrix<float> dwte,
                     DeviceMatrix<float> dwpe, std::size_t start, std::int64_t padding) {
    const unsigned lane = threadIdx.x % 32;
    const std::size_t warps = static_cast<std::size_t>(gridDim.x) * (block_threads / 32);
    const std::size_t first = static_cast<std::size_t>(blockIdx.x) * (block_threads / 32) + threadIdx.x / 32;
    const std::size_t jobs = dout.time + dout.batch * dout.time;
    for (std::size_t job = first; job < jobs; job += warps) {
        if (job < dout.time) {
            float* const target = dwpe.row(start + job);
            for (std::size_t c = lane; c < dout.channels; c += 32) {
                float sum = 0.0f;
                for (std::size_t b = 0; b != dout.batch; ++b) sum += dout.row(b, job)[c];
                if (sum != 0.0f) target[c] += sum; // also where the sum is NaN
            }
        } else {
            const std::size_t b = (job - dout.time) / dout.time;
            const std::size_t t = (job - dout.time) % dout.time;
            const std::int64_t id = ids(b, t);
            if (id < 0 || static_cast<std::uint64_t>(id) >= dwte.rows || id == padding) continue;
            float* const target = dwte.row(static_cast<std::size_t>(id));
            const float* const source = dout.row(b, t);
            for (std::size_t c = lane; c < dout.channels; c += 32) {
                const float g = source[c];
                if (g != 0.0f) atomicAdd(target + c, g);
            }
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
    const std::size_t warps = T + B * T;
    const std::size_t blocks = (warps + block_threads / 32 - 1) / (block_threads / 32);
    both<<<static_cast<unsigned>(blocks < 16384 ? blocks : 16384), block_threads, 0, stream>>>(
        dout, ids, dwte, dwpe, options.start, options.padding_idx);
    return Status{};
}

} // namespace exercise

// right: one kernel for both tables; a cooperative-groups tile of 32 owns 128 channels of a position, reads each element of dout once, adds it to dwte by an atomic and keeps the sum over the batch in a register until the end
#include "contract.h"

#include <cooperative_groups.h>

namespace exercise {

namespace {

namespace cg = cooperative_groups;

constexpr unsigned per_lane = 4;
constexpr std::size_t piece = 32 * per_lane;
constexpr unsigned threads = 128;

__global__ void backward_kernel(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                                DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, std::size_t start,
                                std::int64_t padding_idx) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const std::size_t channels = dout.channels;
    const std::size_t pieces = (channels + piece - 1) / piece;
    const std::size_t items = dout.time * pieces;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * (threads / 32);
    for (std::size_t item = static_cast<std::size_t>(blockIdx.x) * (threads / 32) + threadIdx.x / 32;
         item < items; item += step) {
        const std::size_t t = item / pieces;
        const std::size_t c0 = item % pieces * piece + warp.thread_rank();
        float sum[per_lane] = {};
        for (std::size_t b = 0; b < dout.batch; ++b) {
            const TokenId id = ids(b, t);
            const bool has_row =
                id >= 0 && static_cast<std::size_t>(id) < dwte.rows && static_cast<std::int64_t>(id) != padding_idx;
            const float* from = dout.row(b, t);
#pragma unroll
            for (unsigned k = 0; k < per_lane; ++k) {
                const std::size_t c = c0 + k * 32;
                if (c >= channels) break;
                const float g = from[c];
                sum[k] += g;
                if (has_row) atomicAdd(&dwte(static_cast<std::size_t>(id), c), g);
            }
        }
#pragma unroll
        for (unsigned k = 0; k < per_lane; ++k) {
            const std::size_t c = c0 + k * 32;
            if (c < channels) dwpe(start + t, c) += sum[k];
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
    if (dout.batch == 0 || dout.time == 0 || dout.channels == 0) return status;
    const std::size_t items = dout.time * ((dout.channels + piece - 1) / piece);
    std::size_t blocks = (items + threads / 32 - 1) / (threads / 32);
    if (blocks > 16384) blocks = 16384;
    backward_kernel<<<static_cast<unsigned>(blocks), threads, 0, stream>>>(dout, ids, dwte, dwpe, options.start,
                                                                           options.padding_idx);
    return status;
}

} // namespace exercise

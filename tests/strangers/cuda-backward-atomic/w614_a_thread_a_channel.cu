// wrong: a block has one thread for each channel, so where C is above 1,024 both launches are refused and nothing is added; a right one splits the channels
#include "contract.h"

namespace exercise {
namespace {

__global__ void add_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                           DeviceMatrix<float> dwte, std::int64_t padding_idx) {
    const std::size_t b = blockIdx.x / dout.time;
    const std::size_t t = blockIdx.x % dout.time;
    const TokenId id = ids(b, t);
    if (id == padding_idx) return;
    if (id < 0) return;
    if (static_cast<std::size_t>(id) >= dwte.rows) return;
    float* row = dwte.row(static_cast<std::size_t>(id));
    atomicAdd(row + threadIdx.x, dout(b, t, threadIdx.x));
}

__global__ void add_positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t t = blockIdx.x;
    const std::size_t c = threadIdx.x;
    float total = 0.0f;
    for (std::size_t b = 0; b < dout.batch; b++)
        total += dout(b, t, c);
    dwpe(start + t, c) = dwpe(start + t, c) + total;
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const std::size_t B = dout.batch;
    const std::size_t T = dout.time;
    const std::size_t C = dout.channels;
    if (ids.rows != B || ids.cols != T || dwte.cols != C || dwpe.cols != C)
        return {Code::shape_mismatch, 0, 0, 0};
    if (options.padding_idx >= 0 && static_cast<std::size_t>(options.padding_idx) >= dwte.rows)
        return {Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (options.start > dwpe.rows)
        return Status::position_out_of_range(0, static_cast<std::int64_t>(options.start), dwpe.rows);
    if (T > dwpe.rows - options.start)
        return Status::position_out_of_range(dwpe.rows - options.start, static_cast<std::int64_t>(dwpe.rows),
                                             dwpe.rows);
    if (B * T * C == 0) return {};
    const unsigned block = static_cast<unsigned>(C);
    add_tokens<<<static_cast<unsigned>(B * T), block, 0, stream>>>(dout, ids, dwte, options.padding_idx);
    add_positions<<<static_cast<unsigned>(T), block, 0, stream>>>(dout, dwpe, options.start);
    return {};
}

} // namespace exercise

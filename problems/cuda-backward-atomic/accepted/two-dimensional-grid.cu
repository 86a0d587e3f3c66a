// accepted: places along x and channels along y, blocks of one warp
#include "contract.h"

#include <algorithm>

namespace exercise {
namespace {

constexpr unsigned int block = 32, most_in_y = 65'535;

unsigned int blocks_for(std::size_t threads) {
    return static_cast<unsigned int>((threads + block - 1) / block);
}

/// A row of blocks for each place, as far as the channels go.
__global__ void add_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                           DeviceMatrix<float> dwte, std::int64_t padding_idx) {
    const std::size_t place = blockIdx.x;
    const std::size_t b = place / dout.time, t = place % dout.time;
    const TokenId id = ids(b, t);
    if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows || id == padding_idx) return;
    for (std::size_t c = std::size_t{blockIdx.y} * blockDim.x + threadIdx.x; c < dout.channels;
         c += std::size_t{gridDim.y} * blockDim.x)
        atomicAdd(&dwte(static_cast<std::size_t>(id), c), dout(b, t, c));
}

/// One thread an element of the window. Nobody else has it, so a plain += will do.
__global__ void add_positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t element = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (element >= dout.time * dout.channels) return;
    const std::size_t t = element / dout.channels, c = element % dout.channels;
    float sum = 0;
    for (std::size_t b = 0; b < dout.batch; ++b)
        sum += dout(b, t, c);
    dwpe(start + t, c) += sum;
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const std::size_t B = ids.rows, T = ids.cols, C = dout.channels;
    if (dout.batch != B || dout.time != T || dwte.cols != C || dwpe.cols != C) return {Code::shape_mismatch};
    const auto V = static_cast<std::int64_t>(dwte.rows);
    if (options.padding_idx >= V) return {Code::invalid_argument, 0, options.padding_idx, V};
    if (options.start > dwpe.rows || T > dwpe.rows - options.start) {
        const std::size_t position = options.start > dwpe.rows ? options.start : dwpe.rows;
        return Status::position_out_of_range(position - options.start, static_cast<std::int64_t>(position),
                                             dwpe.rows);
    }
    if (B * T * C == 0) return {};
    const dim3 grid(static_cast<unsigned int>(B * T), std::min(blocks_for(C), most_in_y));
    add_tokens<<<grid, block, 0, stream>>>(dout, ids, dwte, options.padding_idx);
    add_positions<<<blocks_for(T * C), block, 0, stream>>>(dout, dwpe, options.start);
    return {};
}

} // namespace exercise

// accepted: one kernel with a grid-stride loop reads dout once for both gradients
#include "contract.h"

namespace exercise {
namespace {

constexpr unsigned int block = 256;

unsigned int blocks_for(std::size_t threads) {
    return static_cast<unsigned int>((threads + block - 1) / block);
}

/// One thread a (t, c): it visits all sequences once, for both gradients.
__global__ void add_both(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                         DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, BackwardOptions options) {
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < dout.time * dout.channels;
         i += step) {
        const std::size_t t = i / dout.channels, c = i % dout.channels;
        float sum = 0.0f;
        for (std::size_t b = 0; b < dout.batch; ++b) {
            const float value = dout(b, t, c);
            sum += value;
            const TokenId id = ids(b, t);
            if (id >= 0 && static_cast<std::size_t>(id) < dwte.rows && id != options.padding_idx)
                atomicAdd(&dwte(static_cast<std::size_t>(id), c), value);
        }
        dwpe(options.start + t, c) += sum;
    }
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
    unsigned int grid = blocks_for(T * C);
    if (grid > 64) grid = 64;
    add_both<<<grid, block, 0, stream>>>(dout, ids, dwte, dwpe, options);
    return {};
}

} // namespace exercise

// Fault: padding_idx is compared with V as an int, so from V = 2^31 on valid values are rejected.
// Origin: round 13
#include "contract.h"

namespace exercise {
namespace {

/// A block for each place.
__global__ void add_to_tokens(const float* dout, DeviceMatrix<const TokenId> ids, DeviceMatrix<float> dwte,
                              std::int64_t padding) {
    const std::size_t places = ids.rows * ids.cols;
    for (std::size_t i = blockIdx.x; i < places; i += gridDim.x) {
        const TokenId id = ids(i / ids.cols, i % ids.cols);
        if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows || id == padding) continue;
        for (std::size_t c = threadIdx.x; c < dwte.cols; c += blockDim.x)
            atomicAdd(&dwte(id, c), dout[i * dwte.cols + c]);
    }
}

__global__ void add_to_positions(const float* dout, DeviceMatrix<float> dwpe, std::size_t start, std::size_t B,
                                 std::size_t T) {
    const std::size_t C = dwpe.cols;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < T * C;
         i += std::size_t{gridDim.x} * blockDim.x) {
        float sum = 0.0f;
        for (std::size_t b = 0; b < B; ++b) sum += dout[b * T * C + i];
        dwpe(start + i / C, i % C) += sum;
    }
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const std::size_t B = ids.rows, T = ids.cols, C = dout.channels;
    if (dout.batch != B || dout.time != T || dwte.cols != C || dwpe.cols != C)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && options.padding_idx >= static_cast<int>(dwte.rows))
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    const std::size_t p = options.start > dwpe.rows ? options.start : dwpe.rows;
    if (options.start > dwpe.rows || T > dwpe.rows - options.start)
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
    if (B == 0 || T == 0 || C == 0) return Status{};
    const unsigned block = C >= 256 ? 256 : 64;
    const std::size_t places = B * T, columns = (T * C + 255) / 256;
    add_to_tokens<<<static_cast<unsigned>(places < 16384 ? places : 16384), block, 0, stream>>>(
        dout.data, ids, dwte, options.padding_idx);
    add_to_positions<<<static_cast<unsigned>(columns < 4096 ? columns : 4096), 256, 0, stream>>>(
        dout.data, dwpe, options.start, B, T);
    return Status{};
}

} // namespace exercise

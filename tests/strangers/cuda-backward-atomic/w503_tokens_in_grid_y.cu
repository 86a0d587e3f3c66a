// wrong: launches one row of blocks per token with the token in blockIdx.y, which a device takes up to 65,535 only, so a batch of more tokens (64 sequences of 1,024) is refused and adds nothing; every size has to work.
#include "contract.h"

#include <algorithm>

namespace exercise {
namespace {

constexpr unsigned lanes = 128; // channels of a block

__global__ void tokens_kernel(const float* dout, std::size_t channels, DeviceMatrix<const TokenId> ids,
                              DeviceMatrix<float> dwte, std::int64_t padding_idx) {
    const std::size_t c = static_cast<std::size_t>(blockIdx.x) * lanes + threadIdx.x;
    const std::size_t n = blockIdx.y;
    if (c >= channels) return;
    const TokenId id = ids(n / ids.cols, n % ids.cols);
    if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows || id == padding_idx) return;
    atomicAdd(&dwte(static_cast<std::size_t>(id), c), dout[n * channels + c]);
}

__global__ void positions_kernel(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t items = dout.time * dout.channels;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < items; i += step) {
        float sum = 0;
        const float* g = dout.data + i;
        for (std::size_t b = 0; b < dout.batch; ++b, g += items)
            sum += *g;
        dwpe(start + i / dout.channels, i % dout.channels) += sum;
    }
}

Status check(const DeviceTensor3<const float>& dout, const DeviceMatrix<const TokenId>& ids,
             const DeviceMatrix<float>& dwte, const DeviceMatrix<float>& dwpe, const BackwardOptions& options) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dwte.cols != dwpe.cols || dout.channels != dwte.cols)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::size_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    const std::size_t first_missing = std::max(options.start, dwpe.rows);
    if (dout.time > first_missing - options.start || options.start > dwpe.rows)
        return Status::position_out_of_range(first_missing - options.start, static_cast<std::int64_t>(first_missing),
                                             dwpe.rows);
    return Status{};
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const Status status = check(dout, ids, dwte, dwpe, options);
    if (status.code != Code::ok) return status;
    const std::size_t tokens = dout.batch * dout.time;
    if (tokens == 0 || dout.channels == 0) return status;

    const dim3 grid(static_cast<unsigned>((dout.channels + lanes - 1) / lanes), static_cast<unsigned>(tokens));
    tokens_kernel<<<grid, lanes, 0, stream>>>(dout.data, dout.channels, ids, dwte, options.padding_idx);

    const std::size_t blocks = std::min<std::size_t>((dout.time * dout.channels + 255) / 256, 2048);
    positions_kernel<<<static_cast<unsigned>(blocks), 256, 0, stream>>>(dout, dwpe, options.start);
    return status;
}

} // namespace exercise

// Fault: Ids are compared with V as an int, so from V = 2^31 on valid tokens add nothing.
// Origin: round 14
#include "contract.h"

namespace exercise {
namespace {

constexpr std::size_t block_size = 256;

// One thread an element of dout; those of equal tokens meet in an atomic addition.
__global__ void add_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                           DeviceMatrix<float> dwte, std::int64_t padding_idx) {
    const std::size_t C = dout.channels;
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= dout.batch * dout.time * C) return;
    const std::size_t place = i / C;
    const std::size_t c = i % C;
    const TokenId id = ids(place / dout.time, place % dout.time);
    if (id < 0 || id >= static_cast<int>(dwte.rows)) return;
    if (id == padding_idx) return;
    const float g = dout.data[i];
    atomicAdd(dwte.row(static_cast<std::size_t>(id)) + c, g);
}

// One thread a sum: it alone has element (start + t, c).
__global__ void add_positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t C = dout.channels;
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= dout.time * C) return;
    const std::size_t t = i / C;
    const std::size_t c = i % C;
    float sum = 0.0f;
    for (std::size_t b = 0; b < dout.batch; ++b)
        sum += dout(b, t, c);
    dwpe(start + t, c) += sum;
}

unsigned blocks_for(std::size_t threads) {
    return static_cast<unsigned>((threads + block_size - 1) / block_size);
}

Status check(const DeviceTensor3<const float>& dout, const DeviceMatrix<const TokenId>& ids,
             const DeviceMatrix<float>& dwte, const DeviceMatrix<float>& dwpe, const BackwardOptions& options) {
    const std::size_t C = dout.channels;
    if (dout.batch != ids.rows || dout.time != ids.cols || dwte.cols != C || dwpe.cols != C)
        return {Code::shape_mismatch, 0, 0, 0};
    const std::size_t V = dwte.rows;
    if (options.padding_idx >= 0 && static_cast<std::size_t>(options.padding_idx) >= V)
        return {Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(V)};
    const std::size_t P = dwpe.rows;
    const std::size_t T = ids.cols;
    if (options.start > P || T > P - options.start) {
        const std::size_t p = options.start > P ? options.start : P;
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), P);
    }
    return {};
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const Status status = check(dout, ids, dwte, dwpe, options);
    if (status.code != Code::ok) return status;
    if (dout.batch == 0 || dout.time == 0 || dout.channels == 0) return {};

    const std::size_t elements = dout.batch * dout.time * dout.channels;
    add_tokens<<<blocks_for(elements), block_size, 0, stream>>>(dout, ids, dwte, options.padding_idx);
    add_positions<<<blocks_for(dout.time * dout.channels), block_size, 0, stream>>>(dout, dwpe, options.start);
    return {};
}

} // namespace exercise

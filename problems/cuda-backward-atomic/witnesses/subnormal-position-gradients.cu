// Fault: Gradients below 2^-126 count as 0 also in dwpe, where no atomicAdd excuses it.
// Origin: round 21
#include "contract.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cfloat>

namespace exercise {
namespace {

constexpr unsigned block_size = 256;

unsigned blocks_for(std::size_t items, std::size_t items_of_a_block) {
    const std::size_t blocks = (items + items_of_a_block - 1) / items_of_a_block;
    return static_cast<unsigned>(std::min<std::size_t>(blocks, 16384));
}

Status check(const DeviceTensor3<const float>& dout, const DeviceMatrix<const TokenId>& ids,
             const DeviceMatrix<float>& dwte, const DeviceMatrix<float>& dwpe, const BackwardOptions& options) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols || dwpe.cols != dwte.cols)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (options.start > dwpe.rows || ids.cols > dwpe.rows - options.start) {
        const std::size_t position = std::max(options.start, dwpe.rows);
        return Status::position_out_of_range(position - options.start, static_cast<std::int64_t>(position),
                                             dwpe.rows);
    }
    return Status{};
}

__device__ __forceinline__ bool collects(TokenId id, std::size_t vocabulary, std::int64_t padding_idx) {
    return id >= 0 && static_cast<std::size_t>(id) < vocabulary && id != padding_idx;
}

/// Devices take numbers below the normal ones for 0 when they add, so they are not worth an addition.
__device__ __forceinline__ float term(float gradient) {
    return fabsf(gradient) < FLT_MIN ? 0.0f : gradient;
}

/// The thread of (t, c) owns the sum over the batch.
__global__ void add_positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t count = dout.time * dout.channels;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
        const std::size_t t = i / dout.channels;
        const std::size_t c = i % dout.channels;
        float sum = 0.0f;
        for (std::size_t b = 0; b < dout.batch; ++b) sum += term(dout(b, t, c));
        dwpe(start + t, c) += sum;
    }
}

/// A thread for each element of dout.
__global__ void add_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                           DeviceMatrix<float> dwte, std::int64_t padding_idx) {
    const std::size_t count = dout.batch * dout.time * dout.channels;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
        const std::size_t place = i / dout.channels;
        const std::size_t c = i % dout.channels;
        const TokenId id = ids(place / dout.time, place % dout.time);
        if (!collects(id, dwte.rows, padding_idx)) continue;
        const float gradient = term(dout.data[i]);
        if (gradient != 0.0f) atomicAdd(&dwte(static_cast<std::size_t>(id), c), gradient);
    }
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const Status status = check(dout, ids, dwte, dwpe, options);
    if (status.code != Code::ok) return status;
    if (dout.batch == 0 || dout.time == 0 || dout.channels == 0) return Status{};

    const std::size_t places = dout.batch * dout.time;
    add_positions<<<blocks_for(dout.time * dout.channels, block_size), block_size, 0, stream>>>(dout, dwpe,
                                                                                               options.start);
    add_tokens<<<blocks_for(places * dout.channels, block_size), block_size, 0, stream>>>(dout, ids, dwte,
                                                                                          options.padding_idx);
    return Status{};
}

} // namespace exercise

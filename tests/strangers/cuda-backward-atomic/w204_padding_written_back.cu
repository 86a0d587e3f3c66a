// wrong: positions are added in whole warps: lanes behind column C add 0 to the padding of dwpe (where C % 32 != 0 and stride > C, all rows but the last), so a -0 there becomes +0; tokens are added by the same launch, so if rows of dwte lie in that padding, additions to them get lost
#include "contract.h"

#include <cstdint>

namespace {

using namespace contract;

constexpr unsigned threads = 256;
constexpr unsigned warps = threads / 32;

unsigned blocks_for(std::size_t items, std::size_t per_block) {
    const std::size_t blocks = (items + per_block - 1) / per_block;
    return static_cast<unsigned>(blocks < 4096 ? blocks : 4096);
}

__device__ void add(float* to, float x) { atomicAdd(to, x); }

/// A warp for each place.
__device__ void add_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                           DeviceMatrix<float> dwte, std::int64_t padding, std::size_t block, std::size_t blocks) {
    const std::size_t places = dout.batch * dout.time;
    for (std::size_t r = block * warps + threadIdx.x / 32; r < places; r += blocks * warps) {
        const TokenId id = ids(r / dout.time, r % dout.time);
        if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows || id == padding) continue;
        float* to = dwte.row(static_cast<std::size_t>(id));
        const float* from = dout.data + r * dout.channels;
        for (std::size_t c = threadIdx.x % 32; c < dout.channels; c += 32)
            add(to + c, from[c]);
    }
}

__device__ float over_batch(const DeviceTensor3<const float>& dout, std::size_t t, std::size_t c) {
    float sum = 0.0F;
    for (std::size_t b = 0; b < dout.batch; ++b)
        sum += dout(b, t, c);
    return sum;
}

/// A warp for each position.
__device__ void add_positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start,
                              std::size_t block, std::size_t blocks) {
    const std::size_t whole = (dout.channels + 31) / 32 * 32;
    for (std::size_t t = block * warps + threadIdx.x / 32; t < dout.time; t += blocks * warps) {
        // A warp stays together as far as the row goes; behind the last one there may be no memory.
        std::size_t width = whole < dwpe.stride ? whole : dwpe.stride;
        if (start + t + 1 == dwpe.rows) width = dout.channels;
        float* to = dwpe.row(start + t);
        for (std::size_t c = threadIdx.x % 32; c < width; c += 32) {
            const float sum = c < dout.channels ? over_batch(dout, t, c) : 0.0F;
            to[c] += sum;
        }
    }
}

/// The first blocks add to positions, the others to tokens.
__global__ void add_both(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, DeviceMatrix<float> dwte,
                         DeviceMatrix<float> dwpe, std::size_t start, std::int64_t padding, unsigned split) {
    if (blockIdx.x < split)
        add_positions(dout, dwpe, start, blockIdx.x, split);
    else
        add_tokens(dout, ids, dwte, padding, blockIdx.x - split, gridDim.x - split);
}

} // namespace

namespace exercise {

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols || dwpe.cols != dwte.cols)
        return Status{Code::shape_mismatch};
    const std::int64_t padding = options.padding_idx;
    if (padding >= 0 && static_cast<std::size_t>(padding) >= dwte.rows)
        return Status{Code::invalid_argument, 0, padding, static_cast<std::int64_t>(dwte.rows)};
    const std::size_t start = options.start;
    if (start > dwpe.rows || ids.cols > dwpe.rows - start) {
        const std::size_t first = start > dwpe.rows ? start : dwpe.rows;
        return Status::position_out_of_range(first - start, static_cast<std::int64_t>(first), dwpe.rows);
    }
    const std::size_t places = dout.batch * dout.time;
    if (places == 0 || dout.channels == 0) return Status{};
    const unsigned split = blocks_for(dout.time, warps);
    add_both<<<split + blocks_for(places, warps), threads, 0, stream>>>(dout, ids, dwte, dwpe, start, padding, split);
    return Status{};
}

} // namespace exercise

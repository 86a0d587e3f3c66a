// Fault: Ids are checked by one unsigned comparison, so with V above 2^31 a negative id adds to a row.
// Origin: round 18
#include "contract.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace exercise {
namespace {

/// Number of this thread in the grid, and how many threads the grid has.
__device__ inline std::size_t thread_number() {
    return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline std::size_t thread_count() {
    return static_cast<std::size_t>(gridDim.x) * blockDim.x;
}

/// Blocks for so many elements; the kernels go round if the grid is too small.
unsigned blocks_for(std::size_t elements, unsigned threads) {
    const std::size_t wanted = elements / threads + (elements % threads != 0 ? 1 : 0);
    return static_cast<unsigned>(std::min<std::size_t>(wanted, std::size_t{1} << 22));
}

/// One thread an element of dout; it adds to the row of its token.
__global__ void collect_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                               DeviceMatrix<float> dwte, std::int64_t padding) {
    const std::size_t width = dout.channels;
    const std::size_t total = dout.batch * dout.time * width;
    for (std::size_t e = thread_number(); e < total; e += thread_count()) {
        const std::size_t place = e / width;
        const std::size_t c = e - place * width;
        const std::size_t b = place / dout.time;
        const std::uint32_t id = static_cast<std::uint32_t>(ids(b, place - b * dout.time)); // negative: very large
        if (id >= dwte.rows || static_cast<std::int64_t>(id) == padding) continue;
        atomicAdd(&dwte(id, c), dout.data[e]);
    }
}

/// One thread an element of the window of dwpe; it owns the sum over the batch.
__global__ void collect_positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe,
                                  std::size_t start) {
    const std::size_t width = dout.channels;
    const std::size_t plane = dout.time * width;
    for (std::size_t e = thread_number(); e < plane; e += thread_count()) {
        const std::size_t t = e / width;
        float sum = 0.0f;
        for (std::size_t b = 0; b < dout.batch; ++b)
            sum += dout.data[b * plane + e];
        dwpe(start + t, e - t * width) += sum;
    }
}

/// What the host can know, in the order of the contract.
Status check(const DeviceTensor3<const float>& dout, const DeviceMatrix<const TokenId>& ids,
             const DeviceMatrix<float>& dwte, const DeviceMatrix<float>& dwpe,
             const BackwardOptions& options) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols ||
        dout.channels != dwpe.cols)
        return Status{Code::shape_mismatch, 0, 0, 0};
    if (options.padding_idx >= 0 && static_cast<std::size_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (options.start > dwpe.rows || ids.cols > dwpe.rows - options.start) {
        const std::size_t missing = std::max(options.start, dwpe.rows);
        return Status::position_out_of_range(missing - options.start, static_cast<std::int64_t>(missing),
                                             dwpe.rows);
    }
    return Status{};
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const Status refused = check(dout, ids, dwte, dwpe, options);
    if (refused.code != Code::ok) return refused;
    if (dout.batch == 0 || dout.time == 0 || dout.channels == 0) return Status{};

    constexpr unsigned threads = 256;
    const std::size_t plane = dout.time * dout.channels;
    collect_tokens<<<blocks_for(dout.batch * plane, threads), threads, 0, stream>>>(dout, ids, dwte,
                                                                                  options.padding_idx);
    collect_positions<<<blocks_for(plane, threads), threads, 0, stream>>>(dout, dwpe, options.start);
    return Status{};
}

} // namespace exercise

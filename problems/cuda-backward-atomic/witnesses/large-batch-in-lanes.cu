// Fault: Batches of more than 256 are summed in four lanes, so the sum of a position is not in the order of b.
// Origin: round 15
#include "contract.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace exercise {
namespace {

constexpr unsigned block_threads = 256;
constexpr std::size_t most_blocks = std::size_t{1} << 20;

unsigned blocks_for(std::size_t work) {
    return static_cast<unsigned>(std::min((work + block_threads - 1) / block_threads, most_blocks));
}

// A thread for each element of dout.
__global__ void add_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                           DeviceMatrix<float> dwte, std::int64_t padding) {
    const std::size_t total = dout.batch * dout.time * dout.channels;
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < total; i += step) {
        const std::size_t place = i / dout.channels;
        const std::size_t c = i - place * dout.channels;
        const std::size_t b = place / dout.time;
        const std::size_t t = place - b * dout.time;
        const TokenId id = ids(b, t);
        if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows || id == padding) continue;
        atomicAdd(&dwte(static_cast<std::size_t>(id), c), dout.data[i]);
    }
}

// A thread for each element of the window of dwpe.
__global__ void add_positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t window = dout.time * dout.channels;
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < window; i += step) {
        const std::size_t t = i / dout.channels;
        const std::size_t c = i - t * dout.channels;
        float sum = 0.0f;
        if (dout.batch <= 256) {
            for (std::size_t b = 0; b < dout.batch; ++b) sum += dout(b, t, c);
        } else {
            float s1 = 0.0f, s2 = 0.0f, s3 = 0.0f;
            std::size_t b = 0;
            for (; b + 4 <= dout.batch; b += 4) {
                sum += dout(b, t, c);
                s1 += dout(b + 1, t, c);
                s2 += dout(b + 2, t, c);
                s3 += dout(b + 3, t, c);
            }
            for (; b < dout.batch; ++b) sum += dout(b, t, c);
            sum = (sum + s1) + (s2 + s3);
        }
        dwpe(start + t, c) += sum;
    }
}

Status check(const DeviceTensor3<const float>& dout, const DeviceMatrix<const TokenId>& ids,
             const DeviceMatrix<float>& dwte, const DeviceMatrix<float>& dwpe, const BackwardOptions& options) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols ||
        dout.channels != dwpe.cols)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::size_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (options.start > dwpe.rows || ids.cols > dwpe.rows - options.start) {
        const std::size_t p = std::max(options.start, dwpe.rows);
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    return Status{};
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const Status status = check(dout, ids, dwte, dwpe, options);
    if (status.code != Code::ok) return status;
    if (dout.batch == 0 || dout.time == 0 || dout.channels == 0) return Status{};
    add_tokens<<<blocks_for(dout.batch * dout.time * dout.channels), block_threads, 0, stream>>>(
        dout, ids, dwte, options.padding_idx);
    add_positions<<<blocks_for(dout.time * dout.channels), block_threads, 0, stream>>>(dout, dwpe,
                                                                                       options.start);
    return Status{};
}

} // namespace exercise

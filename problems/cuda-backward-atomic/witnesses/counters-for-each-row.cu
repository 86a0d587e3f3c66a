// Fault: Allocates and clears a counter for each row of dwte, so memory follows V.
// Origin: round 21
#include "contract.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

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

/// The thread of (t, c) owns the sum over the batch.
__global__ void add_positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t count = dout.time * dout.channels;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
        const std::size_t t = i / dout.channels;
        const std::size_t c = i % dout.channels;
        float sum = 0.0f;
        for (std::size_t b = 0; b < dout.batch; ++b) sum += dout(b, t, c);
        dwpe(start + t, c) += sum;
    }
}

constexpr std::size_t long_text = 1024; // places from which it pays to know which tokens are alone

__global__ void count_tokens(DeviceMatrix<const TokenId> ids, std::size_t vocabulary, std::int64_t padding_idx,
                             unsigned* counts) {
    const std::size_t places = ids.rows * ids.cols;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t place = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; place < places;
         place += step) {
        const TokenId id = ids(place / ids.cols, place % ids.cols);
        if (collects(id, vocabulary, padding_idx)) atomicAdd(&counts[id], 1U);
    }
}

/// A thread for each element of dout. A token that stands at one place only has nobody to wait for. `counts`
/// may be null.
__global__ void add_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                           DeviceMatrix<float> dwte, std::int64_t padding_idx, const unsigned* counts) {
    const std::size_t count = dout.batch * dout.time * dout.channels;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
        const std::size_t place = i / dout.channels;
        const std::size_t c = i % dout.channels;
        const TokenId id = ids(place / dout.time, place % dout.time);
        if (!collects(id, dwte.rows, padding_idx)) continue;
        float& to = dwte(static_cast<std::size_t>(id), c);
        if (counts != nullptr && counts[id] == 1U)
            to += dout.data[i];
        else
            atomicAdd(&to, dout.data[i]);
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
    unsigned* counts = nullptr;
    if (places >= long_text && dwte.rows > 0) {
        cudaMallocAsync(reinterpret_cast<void**>(&counts), dwte.rows * sizeof(unsigned), stream);
        cudaMemsetAsync(counts, 0, dwte.rows * sizeof(unsigned), stream);
        count_tokens<<<blocks_for(places, block_size), block_size, 0, stream>>>(ids, dwte.rows,
                                                                                options.padding_idx, counts);
    }
    add_tokens<<<blocks_for(places * dout.channels, block_size), block_size, 0, stream>>>(
        dout, ids, dwte, options.padding_idx, counts);
    if (counts != nullptr) cudaFreeAsync(counts, stream);
    return Status{};
}

} // namespace exercise

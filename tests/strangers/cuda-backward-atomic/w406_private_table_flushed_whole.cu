// wrong: where V * C <= 4096 each block adds into a private table in shared memory and at its end adds all V * C elements of it to dwte, also those of rows that none of its tokens has; adding 0 turns a -0.0f into +0.0f there, so a row that no token of the call has, or the row padding_idx, does not keep its bits; a right one adds only rows that it has met
#include "contract.h"

namespace exercise {

namespace {

constexpr std::size_t most_private = 4096; // floats: 16 KiB

__device__ bool has_row(TokenId id, std::size_t vocabulary, std::int64_t padding_idx) {
    return id >= 0 && static_cast<std::size_t>(id) < vocabulary && id != padding_idx;
}

// Small tables: hardly an atomic leaves the block.
__global__ void tokens_private(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                               DeviceMatrix<float> dwte, std::int64_t padding_idx) {
    __shared__ float table[most_private];
    const std::size_t channels = dout.channels;
    const std::size_t size = dwte.rows * channels;
    for (std::size_t i = threadIdx.x; i < size; i += blockDim.x)
        table[i] = 0.0f;
    __syncthreads();

    const std::size_t total = dout.batch * dout.time * channels;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t e = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; e < total;
         e += step) {
        const std::size_t place = e / channels;
        const TokenId id = ids(place / dout.time, place % dout.time);
        if (has_row(id, dwte.rows, padding_idx))
            atomicAdd(&table[static_cast<std::size_t>(id) * channels + e % channels], dout.data[e]);
    }
    __syncthreads();

    for (std::size_t i = threadIdx.x; i < size; i += blockDim.x)
        atomicAdd(&dwte(i / channels, i % channels), table[i]);
}

__global__ void tokens_global(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                              DeviceMatrix<float> dwte, std::int64_t padding_idx) {
    const std::size_t channels = dout.channels;
    const std::size_t total = dout.batch * dout.time * channels;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t e = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; e < total;
         e += step) {
        const std::size_t place = e / channels;
        const TokenId id = ids(place / dout.time, place % dout.time);
        if (has_row(id, dwte.rows, padding_idx))
            atomicAdd(&dwte(static_cast<std::size_t>(id), e % channels), dout.data[e]);
    }
}

// The thread of (t, c) owns the sum over the batch.
__global__ void positions_kernel(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe,
                                 std::size_t start) {
    const std::size_t total = dout.time * dout.channels;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < total;
         i += step) {
        const std::size_t t = i / dout.channels;
        const std::size_t c = i % dout.channels;
        float sum = 0.0f;
        for (std::size_t b = 0; b < dout.batch; ++b)
            sum += dout(b, t, c);
        dwpe(start + t, c) += sum;
    }
}

unsigned blocks_for(std::size_t items, std::size_t of_block) {
    const std::size_t blocks = (items + of_block - 1) / of_block;
    return static_cast<unsigned>(blocks < 32768 ? blocks : 32768);
}

Status check(const DeviceTensor3<const float>& dout, const DeviceMatrix<const TokenId>& ids,
             const DeviceMatrix<float>& dwte, const DeviceMatrix<float>& dwpe, const BackwardOptions& options) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols ||
        dout.channels != dwpe.cols)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    const std::size_t start = options.start;
    if (start > dwpe.rows || ids.cols > dwpe.rows - start) {
        const std::size_t p = start > dwpe.rows ? start : dwpe.rows;
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    return Status{};
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const Status status = check(dout, ids, dwte, dwpe, options);
    if (!(status == Status{})) return status;
    const std::size_t total = dout.batch * dout.time * dout.channels;
    if (total == 0) return status;
    if (dwte.rows <= most_private / dwte.cols) {
        const unsigned blocks = blocks_for(total, 256 * 16);
        tokens_private<<<blocks, 256, 0, stream>>>(dout, ids, dwte, options.padding_idx);
    } else {
        tokens_global<<<blocks_for(total, 256), 256, 0, stream>>>(dout, ids, dwte, options.padding_idx);
    }
    positions_kernel<<<blocks_for(dout.time * dout.channels, 256), 256, 0, stream>>>(dout, dwpe, options.start);
    return status;
}

} // namespace exercise

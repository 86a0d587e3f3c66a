// wrong: tables of at most 2,048 elements are summed in shared memory and flushed whole, so rows that no token has (or that are padding_idx) get +0 added and -0.0f there becomes +0.0f; a right one adds only to rows of tokens
#include "contract.h"

namespace exercise {

namespace {

constexpr unsigned table_limit = 2048;

__global__ void tokens_in_shared(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                                 DeviceMatrix<float> dwte, std::int64_t padding) {
    __shared__ float table[table_limit];
    const unsigned C = static_cast<unsigned>(dout.channels);
    const unsigned elements = static_cast<unsigned>(dwte.rows) * C;
    for (unsigned i = threadIdx.x; i < elements; i += blockDim.x) table[i] = 0.0f;
    __syncthreads();
    const std::size_t all = dout.batch * dout.time * C;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < all;
         i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
        const std::size_t place = i / C;
        const TokenId id = ids(place / dout.time, place % dout.time);
        if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows || id == padding) continue;
        atomicAdd(&table[static_cast<unsigned>(id) * C + static_cast<unsigned>(i % C)], dout.data[i]);
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < elements; i += blockDim.x) atomicAdd(&dwte(i / C, i % C), table[i]);
}

__global__ void tokens_in_memory(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                                 DeviceMatrix<float> dwte, std::int64_t padding) {
    const std::size_t all = dout.batch * dout.time * dout.channels;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < all;
         i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
        const std::size_t place = i / dout.channels;
        const TokenId id = ids(place / dout.time, place % dout.time);
        if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows || id == padding) continue;
        atomicAdd(&dwte(static_cast<std::size_t>(id), i % dout.channels), dout.data[i]);
    }
}

__global__ void positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t all = dout.time * dout.channels;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < all;
         i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
        float sum = 0.0f;
        for (std::size_t b = 0; b < dout.batch; ++b) sum += dout.data[b * all + i];
        dwpe(start + i / dout.channels, i % dout.channels) += sum;
    }
}

unsigned at_most(std::size_t n, unsigned limit) { return n < limit ? static_cast<unsigned>(n) : limit; }

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const std::size_t B = ids.rows, T = ids.cols, C = dout.channels;
    if (dout.batch != B || dout.time != T || C != dwte.cols || C != dwpe.cols)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (T > dwpe.rows || options.start > dwpe.rows - T) {
        const std::size_t p = options.start > dwpe.rows ? options.start : dwpe.rows;
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    if (B == 0 || T == 0 || C == 0) return Status{};
    const std::size_t blocks = (B * T * C + 255) / 256;
    if (dwte.rows <= table_limit && C <= table_limit && dwte.rows * C <= table_limit)
        tokens_in_shared<<<at_most(blocks, 64), 256, 0, stream>>>(dout, ids, dwte, options.padding_idx);
    else
        tokens_in_memory<<<at_most(blocks, 8192), 256, 0, stream>>>(dout, ids, dwte, options.padding_idx);
    positions<<<at_most((T * C + 255) / 256, 8192), 256, 0, stream>>>(dout, dwpe, options.start);
    return Status{};
}

} // namespace exercise

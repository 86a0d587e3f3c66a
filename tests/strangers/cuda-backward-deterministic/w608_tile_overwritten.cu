// wrong: stages ids in shared memory, a tile at a time, but has only the barrier after the load and none before the next load; a race where the ids from the first place of a token on fill more than one tile of 256, so that warps may read ids of the next tile; a right one has a barrier before the tile is used again
#include "contract.h"

namespace exercise {
namespace {

constexpr unsigned tile_size = 256; // also the threads of a block

__global__ void token_rows(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                           DeviceMatrix<float> dwte, std::int64_t padding) {
    __shared__ TokenId tile[tile_size];
    __shared__ int seen_before;
    const std::size_t count = ids.rows * ids.cols, C = dout.channels;

    for (std::size_t place = blockIdx.x; place < count; place += gridDim.x) {
        const TokenId token = ids(place / ids.cols, place % ids.cols);
        if (token < 0 || static_cast<std::size_t>(token) >= dwte.rows || token == padding) continue;

        __syncthreads(); // everyone has read what the last place left here
        if (threadIdx.x == 0) {
            seen_before = 0;
            for (std::size_t q = place; q > 0 && seen_before == 0; --q)
                seen_before = ids((q - 1) / ids.cols, (q - 1) % ids.cols) == token;
        }
        __syncthreads();
        if (seen_before != 0) continue;

        for (std::size_t first = 0; first < C; first += tile_size) {
            const std::size_t c = first + threadIdx.x;
            float total = 0.0F, partial = 0.0F;
            std::size_t terms = 0;
            __syncthreads();
            for (std::size_t base = place; base < count; base += tile_size) {
                const std::size_t mine = base + threadIdx.x;
                if (mine < count) tile[threadIdx.x] = ids(mine / ids.cols, mine % ids.cols);
                __syncthreads();
                const std::size_t filled = count - base < tile_size ? count - base : tile_size;
                for (std::size_t k = 0; c < C && k < filled; ++k) {
                    if (tile[k] != token) continue;
                    partial += dout.data[(base + k) * C + c];
                    if (++terms == terms_of_a_partial) {
                        total += partial;
                        partial = 0.0F;
                        terms = 0;
                    }
                }
            }
            if (terms > 0) total += partial;
            if (c < C) dwte(static_cast<std::size_t>(token), c) += total;
        }
    }
}

__global__ void position_rows(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t row = dout.time * dout.channels;
    for (std::size_t i = std::size_t{blockIdx.x} * tile_size + threadIdx.x; i < row;
         i += std::size_t{gridDim.x} * tile_size) {
        float sum = 0.0F;
        for (std::size_t b = 0; b < dout.batch; ++b)
            sum += dout.data[b * row + i];
        dwpe(start + i / dout.channels, i % dout.channels) += sum;
    }
}

Status refusal(const DeviceTensor3<const float>& dout, const DeviceMatrix<const TokenId>& ids,
               const DeviceMatrix<float>& dwte, const DeviceMatrix<float>& dwpe,
               const BackwardOptions& options) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols ||
        dout.channels != dwpe.cols)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    const std::size_t start = options.start, P = dwpe.rows;
    if (start > P || dout.time > P - start) {
        const std::size_t p = start > P ? start : P;
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    return Status{};
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const Status status = refusal(dout, ids, dwte, dwpe, options);
    const std::size_t count = dout.batch * dout.time, C = dout.channels;
    if (status.code != Code::ok || count == 0 || C == 0) return status;
    const std::size_t blocks = dout.time * C / tile_size + 1;
    token_rows<<<static_cast<unsigned>(count < 1024 ? count : 1024), tile_size, 0, stream>>>(
        dout, ids, dwte, options.padding_idx);
    position_rows<<<static_cast<unsigned>(blocks < 65'535 ? blocks : 65'535), tile_size, 0, stream>>>(
        dout, dwpe, options.start);
    return status;
}

} // namespace exercise

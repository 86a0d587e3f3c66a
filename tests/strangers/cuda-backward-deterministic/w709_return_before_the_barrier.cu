// wrong: threads without a channel return before __syncthreads, so where C is no multiple of 128 some threads of a block never reach its barriers; a right one lets them take part
#include "contract.h"

namespace exercise {

namespace {

unsigned at_most(std::size_t n, unsigned limit) { return n < limit ? static_cast<unsigned>(n) : limit; }

constexpr unsigned tile_size = 128;

// blockIdx.x: a place; blockIdx.y: 128 channels, one a thread. The ids come through shared memory, 128 at a time.
__global__ void token_tiles(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                            DeviceMatrix<float> dwte, std::int64_t padding) {
    __shared__ TokenId tile[tile_size];
    const std::size_t places = ids.rows * ids.cols, C = dout.channels;
    const std::size_t own = blockIdx.x;
    const TokenId token = ids(own / ids.cols, own % ids.cols);
    if (token < 0 || static_cast<std::size_t>(token) >= dwte.rows || token == padding) return; // the whole block
    const std::size_t c = static_cast<std::size_t>(blockIdx.y) * tile_size + threadIdx.x;
    const std::size_t c0 = c - threadIdx.x;
    if (c >= C) return; // no channel
    float total = 0.0f, partial = 0.0f;
    unsigned terms = 0;
    bool earlier = false;
    for (std::size_t begin = 0; begin < places; begin += tile_size) {
        const unsigned count = static_cast<unsigned>(places - begin < tile_size ? places - begin : tile_size);
        for (unsigned i = threadIdx.x; i < count; i += static_cast<unsigned>(C - c0 < tile_size ? C - c0 : tile_size)) {
            const std::size_t place = begin + i;
            tile[i] = ids(place / ids.cols, place % ids.cols);
        }
        __syncthreads();
        for (unsigned i = 0; i < count; ++i) {
            if (tile[i] != token) continue;
            if (begin + i < own) earlier = true;
            if (c < C) partial += dout.data[(begin + i) * C + c];
            if (++terms == terms_of_a_partial) {
                total += partial;
                partial = 0.0f;
                terms = 0;
            }
        }
        __syncthreads();
        if (earlier) return; // for the whole block: another place is the first
    }
    if (terms != 0) total += partial;
    if (c < C) dwte(static_cast<std::size_t>(token), c) += total;
}

__global__ void position_sums(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t all = dout.time * dout.channels;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < all;
         i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
        float sum = 0.0f;
        for (std::size_t b = 0; b < dout.batch; ++b) sum += dout.data[b * all + i];
        dwpe(start + i / dout.channels, i % dout.channels) += sum;
    }
}

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
    const dim3 grid(static_cast<unsigned>(B * T), static_cast<unsigned>((C + tile_size - 1) / tile_size));
    token_tiles<<<grid, tile_size, 0, stream>>>(dout, ids, dwte, options.padding_idx);
    position_sums<<<at_most((T * C + 255) / 256, 8192), 256, 0, stream>>>(dout, dwpe, options.start);
    return Status{};
}

} // namespace exercise

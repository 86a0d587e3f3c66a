// wrong: the list of the places of a token in shared memory holds 2,048; a token with more of them loses the rest; a right one has no such limit
#include "contract.h"

namespace exercise {

namespace {

unsigned at_most(std::size_t n, unsigned limit) { return n < limit ? static_cast<unsigned>(n) : limit; }

constexpr unsigned capacity = 2048;

__device__ TokenId at(DeviceMatrix<const TokenId> ids, std::size_t place) {
    return ids(place / ids.cols, place % ids.cols);
}

__global__ void token_blocks(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                             DeviceMatrix<float> dwte, std::int64_t padding) {
    __shared__ unsigned found[capacity];
    __shared__ unsigned warp_total[32];
    const std::size_t places = ids.rows * ids.cols, C = dout.channels;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;

    for (std::size_t first = blockIdx.x; first < places; first += gridDim.x) {
        const TokenId token = at(ids, first);
        if (token < 0 || static_cast<std::size_t>(token) >= dwte.rows || token == padding) continue;
        int earlier = 0;
        for (std::size_t begin = 0; begin < first && earlier == 0; begin += blockDim.x) {
            const std::size_t place = begin + threadIdx.x;
            earlier = __syncthreads_or(place < first && at(ids, place) == token);
        }
        if (earlier != 0) continue; // for the whole block

        // All places of the token, in order, once for all channels.
        unsigned all = 0;
        for (std::size_t begin = first; begin < places; begin += blockDim.x) {
            const std::size_t place = begin + threadIdx.x;
            const bool mine = place < places && at(ids, place) == token;
            const unsigned vote = __ballot_sync(0xffffffffu, mine);
            if (lane == 0) warp_total[warp] = static_cast<unsigned>(__popc(vote));
            __syncthreads();
            unsigned slot = all + static_cast<unsigned>(__popc(vote & ((1u << lane) - 1)));
            for (unsigned w = 0; w < warps; ++w) {
                if (w < warp) slot += warp_total[w];
                all += warp_total[w];
            }
            if (mine && slot < capacity) found[slot] = static_cast<unsigned>(place);
            __syncthreads();
        }
        if (all > capacity) all = capacity;
        for (std::size_t c = threadIdx.x; c < C; c += blockDim.x) {
            float total = 0.0f;
            for (unsigned k = 0; k < all; k += terms_of_a_partial) {
                float partial = 0.0f;
                for (unsigned j = k; j < all && j < k + terms_of_a_partial; ++j)
                    partial += dout.data[found[j] * C + c];
                total += partial;
            }
            dwte(static_cast<std::size_t>(token), c) += total;
        }
        __syncthreads();
    }
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
    position_sums<<<at_most((T * C + 255) / 256, 8192), 256, 0, stream>>>(dout, dwpe, options.start);
    token_blocks<<<at_most(B * T, 65536), options.threads, 0, stream>>>(dout, ids, dwte, options.padding_idx);
    return Status{};
}

} // namespace exercise

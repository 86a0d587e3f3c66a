// wrong: the 16 terms of a partial sum are added by 16 lanes in a tree of shuffles and not one after another; bits differ for tokens with three or more places where sums round; a right one adds them in order
#include "contract.h"

namespace exercise {

namespace {

unsigned at_most(std::size_t n, unsigned limit) { return n < limit ? static_cast<unsigned>(n) : limit; }

constexpr unsigned full = 0xffffffffu;

__device__ TokenId at(DeviceMatrix<const TokenId> ids, std::size_t place) {
    return ids(place / ids.cols, place % ids.cols);
}

// A block of one warp for a place. The first place of a token lists 16 places at a time in shared memory; then
// each half warp adds one channel.
__global__ void halves(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, DeviceMatrix<float> dwte,
                       std::int64_t padding) {
    __shared__ std::size_t list[16];
    const std::size_t places = ids.rows * ids.cols, C = dout.channels;
    const unsigned lane = threadIdx.x, term = lane % 16;
    for (std::size_t first = blockIdx.x; first < places; first += gridDim.x) {
        const TokenId token = at(ids, first);
        if (token < 0 || static_cast<std::size_t>(token) >= dwte.rows || token == padding) continue;
        bool owner = true;
        for (std::size_t begin = 0; begin < first && owner; begin += 32)
            owner = __ballot_sync(full, begin + lane < first && at(ids, begin + lane) == token) == 0;
        if (!owner) continue;

        for (std::size_t c0 = 0; c0 < C; c0 += 2) {
            const std::size_t c = c0 + lane / 16;
            float total = 0.0f;
            std::size_t place = first;
            while (place < places) {
                unsigned count = 0;
                if (lane == 0)
                    for (; place < places && count < terms_of_a_partial; ++place)
                        if (at(ids, place) == token) list[count++] = place;
                __syncwarp();
                count = __shfl_sync(full, count, 0);
                place = __shfl_sync(full, place, 0);
                float value = 0.0f;
                if (term < count && c < C) value = dout.data[list[term] * C + c];
                for (int distance = 8; distance > 0; distance /= 2)
                    value += __shfl_down_sync(full, value, distance, 16);
                total += value;
                __syncwarp();
            }
            if (term == 0 && c < C) dwte(static_cast<std::size_t>(token), c) += total;
        }
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
    halves<<<at_most(B * T, 65536), 32, 0, stream>>>(dout, ids, dwte, options.padding_idx);
    position_sums<<<at_most((T * C + 255) / 256, 8192), 256, 0, stream>>>(dout, dwpe, options.start);
    return Status{};
}

} // namespace exercise

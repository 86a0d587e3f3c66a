// right: no scratch memory; a warp owns 128 channels of a token, finds its places by votes of 32 lanes, and each lane keeps four sums in registers
#include "contract.h"

namespace exercise {

namespace {

unsigned at_most(std::size_t n, unsigned limit) { return n < limit ? static_cast<unsigned>(n) : limit; }

constexpr unsigned full = 0xffffffffu;
constexpr int per_lane = 4;

struct Text {
    DeviceMatrix<const TokenId> ids;
    std::size_t vocabulary;
    std::int64_t padding;

    __device__ std::size_t places() const { return ids.rows * ids.cols; }
    __device__ TokenId at(std::size_t place) const { return ids.data[place / ids.cols * ids.stride + place % ids.cols]; }
};

// blockDim = (32, 4). Every lane of a warp takes every branch together, since all decisions are the warp's.
__global__ void votes(DeviceTensor3<const float> dout, Text text, DeviceMatrix<float> dwte) {
    const std::size_t places = text.places(), C = dout.channels;
    const std::size_t strips = (C + 32 * per_lane - 1) / (32 * per_lane);
    const unsigned lane = threadIdx.x;
    for (std::size_t job = static_cast<std::size_t>(blockIdx.x) * blockDim.y + threadIdx.y; job < places * strips;
         job += static_cast<std::size_t>(gridDim.x) * blockDim.y) {
        const std::size_t first = job / strips;
        const std::size_t c0 = job % strips * (32 * per_lane) + lane;
        const TokenId token = text.at(first);
        if (token < 0 || static_cast<std::size_t>(token) >= text.vocabulary || token == text.padding) continue;
        bool owner = true;
        for (std::size_t begin = 0; begin < first && owner; begin += 32) {
            const std::size_t place = begin + lane;
            owner = __ballot_sync(full, place < first && text.at(place) == token) == 0;
        }
        if (!owner) continue;

        float total[per_lane] = {}, partial[per_lane] = {};
        unsigned terms = 0;
        for (std::size_t begin = first; begin < places; begin += 32) {
            const std::size_t mine = begin + lane;
            unsigned found = __ballot_sync(full, mine < places && text.at(mine) == token);
            for (; found != 0; found &= found - 1) {
                const float* const row = dout.data + (begin + static_cast<unsigned>(__ffs(static_cast<int>(found)) - 1)) * C;
                if (terms == terms_of_a_partial) {
                    for (int k = 0; k < per_lane; ++k) {
                        total[k] += partial[k];
                        partial[k] = 0.0f;
                    }
                    terms = 0;
                }
                for (int k = 0; k < per_lane; ++k)
                    if (c0 + 32 * k < C) partial[k] += row[c0 + 32 * k];
                ++terms;
            }
        }
        for (int k = 0; k < per_lane; ++k)
            if (c0 + 32 * k < C) dwte(static_cast<std::size_t>(token), c0 + 32 * k) += total[k] + partial[k];
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
    const std::size_t jobs = B * T * ((C + 32 * per_lane - 1) / (32 * per_lane));
    position_sums<<<at_most((T * C + 255) / 256, 8192), 256, 0, stream>>>(dout, dwpe, options.start);
    votes<<<at_most((jobs + 3) / 4, 65536), dim3(32, 4), 0, stream>>>(
        dout, Text{ids, dwte.rows, options.padding_idx}, dwte);
    return Status{};
}

} // namespace exercise

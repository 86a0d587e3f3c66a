// Fault: p is stored as known before it is checked, so the second of two equal calls with an invalid p is accepted.
// Origin: round 21
#include "contract.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace exercise {
namespace {

constexpr unsigned lanes = 32;
constexpr unsigned block_size = 256;

unsigned blocks_for(std::size_t items, std::size_t items_of_a_block) {
    const std::size_t blocks = (items + items_of_a_block - 1) / items_of_a_block;
    return static_cast<unsigned>(std::min<std::size_t>(blocks, 16384));
}

/// What decides about an element, and what a survivor is multiplied by.
struct Mask {
    bool active;
    double p;
    float factor;
    std::uint64_t seed;
    std::uint64_t offset;
};

__device__ __forceinline__ double uniform(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
}

__device__ __forceinline__ float dropped_out(float sum, const Mask& mask, std::uint64_t element) {
    if (!mask.active) return sum;
    return uniform(mask.seed, mask.offset + element) >= mask.p ? sum * mask.factor : 0.0f;
}

__device__ __forceinline__ void put(float& to, float value) { to = value; }

/// Rounds to bfloat16, ties to even.
__device__ __forceinline__ void put(std::uint16_t& to, float value) {
    const std::uint32_t bits = __float_as_uint(value);
    if (isnan(value))
        to = 0x7FC0;
    else
        to = static_cast<std::uint16_t>((bits + 0x7FFFU + (bits >> 16 & 1U)) >> 16);
}

__device__ __forceinline__ float not_a_number() { return __uint_as_float(0x7FC00000U); }

/// A warp for each row of out.
template <class T>
__global__ void embed_rows(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                           DeviceMatrix<const TokenId> ids, std::size_t start, Mask mask, DeviceTensor3<T> out) {
    const std::size_t rows = out.batch * out.time;
    const std::size_t warps = static_cast<std::size_t>(gridDim.x) * (blockDim.x / lanes);
    for (std::size_t row = static_cast<std::size_t>(blockIdx.x) * (blockDim.x / lanes) + threadIdx.x / lanes;
         row < rows; row += warps) {
        const std::size_t b = row / out.time;
        const std::size_t t = row % out.time;
        const TokenId id = ids(b, t);
        const bool known = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
        const float* token = known ? wte.row(static_cast<std::size_t>(id)) : nullptr;
        const float* position = wpe.row(start + t);
        for (std::size_t c = threadIdx.x % lanes; c < out.channels; c += lanes) {
            const std::size_t e = row * out.channels + c;
            const float sum = (known ? token[c] : not_a_number()) + position[c];
            put(out.data[e], dropped_out(sum, mask, e));
        }
    }
}

/// Calls in a row mostly have the same probability, so what follows from it is kept.
struct Scale {
    float p = 0.0f;
    bool train = true;
    bool active = false;
    float factor = 1.0f;
};

template <class T>
Status embed_any(const DeviceMatrix<const float>& wte, const DeviceMatrix<const float>& wpe,
                 const DeviceMatrix<const TokenId>& ids, std::size_t start, const Dropout& dropout,
                 const DeviceTensor3<T>& out, cudaStream_t stream) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return Status{Code::shape_mismatch};
    if (start > wpe.rows || ids.cols > wpe.rows - start) {
        const std::size_t position = std::max(start, wpe.rows);
        return Status::position_out_of_range(position - start, static_cast<std::int64_t>(position), wpe.rows);
    }
    static Scale scale;
    if (dropout.p != scale.p || dropout.train != scale.train) {
        scale.p = dropout.p;
        scale.train = dropout.train;
        if (!(dropout.p >= 0.0f && dropout.p <= 1.0f)) return Status{Code::invalid_argument};
        scale.active = dropout.train && dropout.p > 0.0f;
        scale.factor = 1.0f / (1.0f - dropout.p);
    }
    if (out.batch == 0 || out.time == 0 || out.channels == 0) return Status{};

    Mask mask;
    mask.active = scale.active;
    mask.p = scale.p;
    mask.factor = scale.factor;
    mask.seed = dropout.seed;
    mask.offset = dropout.offset;
    embed_rows<T><<<blocks_for(out.batch * out.time, block_size / lanes), block_size, 0, stream>>>(
        wte, wpe, ids, start, mask, out);
    return Status{};
}

} // namespace

Status embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    return embed_any(wte, wpe, ids, start, dropout, out, stream);
}

Status embed_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                  DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                  DeviceTensor3<std::uint16_t> out, cudaStream_t stream) {
    return embed_any(wte, wpe, ids, start, dropout, out, stream);
}

} // namespace exercise

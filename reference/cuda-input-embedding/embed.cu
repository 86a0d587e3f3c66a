#include "contract.h"

#include <cuda_bf16.h>

#include <algorithm>
#include <cmath>

namespace exercise {
namespace {

constexpr unsigned int warp = 32;
constexpr unsigned int warps_of_a_block = 4;
constexpr std::size_t max_blocks = 4096;

/// Dropout without a double or a division in the kernel. The 52 upper bits n of a random number survive if
/// (n + 0.5) * 2^-52 >= p, that is from the first whole number on that is not below p * 2^52 - 0.5.
struct Mask {
    std::uint64_t seed = 0;
    std::uint64_t offset = 0;
    std::uint64_t least = 0;
    float factor = 1;
};

Mask mask_of(Dropout dropout) {
    if (!dropout.train) return {};
    const double least = std::ceil(static_cast<double>(dropout.p) * 0x1p52 - 0.5);
    return {dropout.seed, dropout.offset, static_cast<std::uint64_t>(least), 1.0F / (1.0F - dropout.p)};
}

__device__ float drop(float value, const Mask& mask, std::uint64_t element) {
    std::uint64_t z = mask.seed + (mask.offset + element + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (z ^ (z >> 31)) >> 12 >= mask.least ? value * mask.factor : 0.0F;
}

__device__ void store(float* to, float value) {
    __stcs(to, value);
}
__device__ void store(std::uint16_t* to, float value) {
    *to = __bfloat16_as_ushort(__float2bfloat16_rn(value));
}
/// Four neighbours at once: 16 bytes of floats, 8 bytes of bfloat16.
__device__ void store(float* to, float4 v) {
    __stcs(reinterpret_cast<float4*>(to), v);
}
__device__ void store(std::uint16_t* to, float4 v) {
    ushort4 packed;
    packed.x = __bfloat16_as_ushort(__float2bfloat16_rn(v.x));
    packed.y = __bfloat16_as_ushort(__float2bfloat16_rn(v.y));
    packed.z = __bfloat16_as_ushort(__float2bfloat16_rn(v.z));
    packed.w = __bfloat16_as_ushort(__float2bfloat16_rn(v.w));
    *reinterpret_cast<ushort4*>(to) = packed;
}

template <class T>
__device__ bool takes_four(const T* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer) % (4 * sizeof(T)) == 0;
}

/// A warp for each row, striding over the rows that the grid has no room for. Whether four elements fit at
/// once is asked for each row: in a dense output it differs from row to row.
template <class T>
__global__ void embed_rows(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                           DeviceMatrix<const TokenId> ids, std::size_t start, Mask mask,
                           DeviceTensor3<T> out) {
    const std::size_t lane = threadIdx.x % warp;
    const std::size_t warps = std::size_t{gridDim.x} * warps_of_a_block;
    const std::size_t rows = out.batch * out.time;
    for (std::size_t row = std::size_t{blockIdx.x} * warps_of_a_block + threadIdx.x / warp; row < rows;
         row += warps) {
        const std::size_t b = row / out.time, t = row % out.time;
        const TokenId id = ids(b, t);
        const bool known = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
        const float* token = known ? wte.row(static_cast<std::size_t>(id)) : nullptr;
        const float* position = wpe.row(start + t);
        T* to = out.row(b, t);
        const std::uint64_t first = row * out.channels;

        std::size_t done = 0;
        if (known && takes_four(token) && takes_four(position) && takes_four(to)) {
            done = out.channels / 4 * 4;
            for (std::size_t c = lane * 4; c < done; c += warp * 4) {
                float4 v = *reinterpret_cast<const float4*>(token + c);
                const float4 add = *reinterpret_cast<const float4*>(position + c);
                v.x = drop(v.x + add.x, mask, first + c);
                v.y = drop(v.y + add.y, mask, first + c + 1);
                v.z = drop(v.z + add.z, mask, first + c + 2);
                v.w = drop(v.w + add.w, mask, first + c + 3);
                store(to + c, v);
            }
        }
        for (std::size_t c = done + lane; c < out.channels; c += warp) {
            const float value = known ? token[c] : __int_as_float(0x7fc00000);
            store(to + c, drop(value + position[c], mask, first + c));
        }
    }
}

template <class T>
Status embed_as(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
                std::size_t start, Dropout dropout, DeviceTensor3<T> out, cudaStream_t stream) {
    const bool fits =
        wpe.cols == wte.cols && out.batch == ids.rows && out.time == ids.cols && out.channels == wte.cols;
    if (!fits) return {Code::shape_mismatch};
    if (start > wpe.rows || ids.cols > wpe.rows - start) {
        const std::size_t p = std::max(start, wpe.rows);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    if (!(dropout.p >= 0 && dropout.p <= 1)) return {Code::invalid_argument};
    const std::size_t rows = out.batch * out.time;
    if (rows == 0 || out.channels == 0) return {};

    const std::size_t blocks = (rows + warps_of_a_block - 1) / warps_of_a_block;
    const auto grid = static_cast<unsigned int>(std::min(blocks, max_blocks));
    embed_rows<<<grid, warps_of_a_block * warp, 0, stream>>>(wte, wpe, ids, start, mask_of(dropout), out);
    return {};
}

} // namespace

Status embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    return embed_as(wte, wpe, ids, start, dropout, out, stream);
}

Status embed_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                  DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                  DeviceTensor3<std::uint16_t> out, cudaStream_t stream) {
    return embed_as(wte, wpe, ids, start, dropout, out, stream);
}

} // namespace exercise

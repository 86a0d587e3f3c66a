// accepted: a warp for each row, four elements at a time where three addresses allow it
#include "contract.h"

#include <cuda_bf16.h>

#include <algorithm>

namespace exercise {
namespace {

__device__ float drop(float value, Dropout dropout, std::uint64_t element) {
    if (!dropout.train) return value;
    std::uint64_t z = dropout.seed + (dropout.offset + element + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    const double uniform = (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
    return uniform >= dropout.p ? value * (1.0F / (1.0F - dropout.p)) : 0.0F;
}

__device__ void store(float& to, float value) {
    to = value;
}
__device__ void store(std::uint16_t& to, float value) {
    to = __bfloat16_as_ushort(__float2bfloat16_rn(value));
}

__device__ void store4(float* to, float4 v) {
    *reinterpret_cast<float4*>(to) = v;
}
__device__ void store4(std::uint16_t* to, float4 v) {
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

template <class T>
__global__ void embed_rows(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                           DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                           DeviceTensor3<T> out) {
    const std::size_t lane = threadIdx.x % 32, warps = std::size_t{gridDim.x} * blockDim.x / 32;
    for (std::size_t row = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
         row < out.batch * out.time; row += warps) {
        const std::size_t b = row / out.time, t = row % out.time;
        const TokenId id = ids(b, t);
        const bool known = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
        const float* token = known ? wte.row(static_cast<std::size_t>(id)) : nullptr;
        const float* position = wpe.row(start + t);
        T* to = out.row(b, t);
        std::size_t done = 0;
        if (known && takes_four(token) && takes_four(position) && takes_four(to)) {
            done = out.channels / 4 * 4;
            for (std::size_t c = lane * 4; c < done; c += 32 * 4) {
                const float4 v = *reinterpret_cast<const float4*>(token + c);
                const float4 add = *reinterpret_cast<const float4*>(position + c);
                const std::uint64_t element = row * out.channels + c;
                float4 sum;
                sum.x = drop(v.x + add.x, dropout, element);
                sum.y = drop(v.y + add.y, dropout, element + 1);
                sum.z = drop(v.z + add.z, dropout, element + 2);
                sum.w = drop(v.w + add.w, dropout, element + 3);
                store4(to + c, sum);
            }
        }
        for (std::size_t c = done + lane; c < out.channels; c += 32) {
            const float value = known ? token[c] : __int_as_float(0x7fc00000);
            store(to[c], drop(value + position[c], dropout, row * out.channels + c));
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
    constexpr unsigned int block = 128;
    const auto grid = static_cast<unsigned int>(std::min<std::size_t>((rows + 3) / 4, 1024));
    embed_rows<<<grid, block, 0, stream>>>(wte, wpe, ids, start, dropout, out);
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

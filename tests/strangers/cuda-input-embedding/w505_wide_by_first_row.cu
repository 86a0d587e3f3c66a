// wrong: takes the wide path if C is a multiple of four and the three pointers are multiples of 16, without a look at the strides, so a table with an odd stride (C = 8, stride 9) is read through misaligned float4 and the kernel aborted; pointers and rows are aligned to one element and no more.
#include "contract.h"

#include <cuda_bf16.h>

namespace exercise {
namespace {

constexpr unsigned block_size = 256;

__device__ __forceinline__ bool keeps(const Dropout& dropout, std::uint64_t e) {
    std::uint64_t z = dropout.seed + (dropout.offset + e + 1) * 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    z ^= z >> 31;
    return (static_cast<double>(z >> 12) + 0.5) * 2.220446049250313e-16 >= static_cast<double>(dropout.p); // 2^-52
}

__device__ __forceinline__ float finish(const Dropout& dropout, float factor, std::uint64_t e, float s) {
    if (!dropout.train || dropout.p == 0.0f) return s;
    return keeps(dropout, e) ? s * factor : 0.0f;
}

__device__ __forceinline__ std::uint16_t bfloat16(float x) {
    const std::uint32_t bits = __float_as_uint(x);
    if (x != x) return 0x7fff;
    return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

__device__ __forceinline__ void write_one(float* to, float x) {
    *to = x;
}
__device__ __forceinline__ void write_one(std::uint16_t* to, float x) {
    *to = bfloat16(x);
}
__device__ __forceinline__ void write_four(float* to, float4 x) {
    *reinterpret_cast<float4*>(to) = x;
}
__device__ __forceinline__ void write_four(std::uint16_t* to, float4 x) {
    *reinterpret_cast<ushort4*>(to) = make_ushort4(bfloat16(x.x), bfloat16(x.y), bfloat16(x.z), bfloat16(x.w));
}

template <class Out>
__global__ void warp_per_row(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                             DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                             DeviceTensor3<Out> out, bool wide) {
    const std::size_t C = out.channels;
    const std::size_t rows = out.batch * out.time;
    const std::size_t warps = static_cast<std::size_t>(gridDim.x) * (block_size / 32);
    const std::size_t lane = threadIdx.x % 32;
    const float factor = 1.0f / (1.0f - dropout.p);
    const float nan = __uint_as_float(0x7fc00000u);

    for (std::size_t n = static_cast<std::size_t>(blockIdx.x) * (block_size / 32) + threadIdx.x / 32; n < rows; n += warps) {
        const std::size_t t = n % out.time;
        const TokenId id = ids(n / out.time, t);
        const bool known = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
        const float* token = known ? wte.row(static_cast<std::size_t>(id)) : nullptr;
        const float* position = wpe.row(start + t);
        Out* target = out.data + n * C;
        const std::uint64_t e = n * C;
        if (wide) {
            for (std::size_t c = 4 * lane; c < C; c += 128) {
                const float4 w = known ? *reinterpret_cast<const float4*>(token + c) : make_float4(nan, nan, nan, nan);
                const float4 q = *reinterpret_cast<const float4*>(position + c);
                write_four(target + c, make_float4(finish(dropout, factor, e + c, w.x + q.x),
                                                   finish(dropout, factor, e + c + 1, w.y + q.y),
                                                   finish(dropout, factor, e + c + 2, w.z + q.z),
                                                   finish(dropout, factor, e + c + 3, w.w + q.w)));
            }
        } else {
            for (std::size_t c = lane; c < C; c += 32)
                write_one(target + c, finish(dropout, factor, e + c, (known ? token[c] : nan) + position[c]));
        }
    }
}

bool multiple_of_16(const void* p) {
    return reinterpret_cast<std::uintptr_t>(p) % 16 == 0;
}

template <class Out>
Status go(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
          std::size_t start, Dropout dropout, DeviceTensor3<Out> out, cudaStream_t stream) {
    const std::size_t B = ids.rows, T = ids.cols, C = wte.cols, P = wpe.rows;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C) return Status{Code::shape_mismatch};
    if (start > P || T > P - start) {
        const std::size_t p = start > P ? start : P;
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    if (!(dropout.p >= 0.0f && dropout.p <= 1.0f)) return Status{Code::invalid_argument};
    if (B == 0 || T == 0 || C == 0) return Status{};

    const bool wide = C % 4 == 0 && multiple_of_16(wte.data) && multiple_of_16(wpe.data) && multiple_of_16(out.data);
    const std::size_t blocks = (B * T - 1) / (block_size / 32) + 1;
    warp_per_row<Out><<<blocks < 4096 ? static_cast<unsigned>(blocks) : 4096u, block_size, 0, stream>>>(
        wte, wpe, ids, start, dropout, out, wide);
    return Status{};
}

} // namespace

Status embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    return go<float>(wte, wpe, ids, start, dropout, out, stream);
}

Status embed_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                  DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                  DeviceTensor3<std::uint16_t> out, cudaStream_t stream) {
    return go<std::uint16_t>(wte, wpe, ids, start, dropout, out, stream);
}

} // namespace exercise

// wrong: b and t are moved on by addition instead of division, but t is wrapped around only once per step of 256 rows, so with B * T > 256 and T < 256 later rows take the position (and, if ids is padded, the id) of a wrong t; a right one wraps as often as it takes, or divides
#include "contract.h"

#include <cuda_bf16.h>

namespace exercise {
namespace {

__device__ void store(float* to, float x) { *to = x; }
__device__ void store(std::uint16_t* to, float x) { *to = __bfloat16_as_ushort(__float2bfloat16_rn(x)); }

__device__ double uniform(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
}

constexpr unsigned warps_per_block = 4;
constexpr unsigned most_blocks = 64;

template <class Out>
__global__ void walk(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
                     std::size_t start, Dropout dropout, float factor, DeviceTensor3<Out> out) {
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * warps_per_block;
    const std::size_t T = out.time, C = out.channels;
    const bool masked = dropout.train && dropout.p > 0;
    std::size_t row = static_cast<std::size_t>(blockIdx.x) * warps_per_block + threadIdx.x / 32;
    std::size_t b = row / T;
    std::size_t t = row % T;
    while (row < out.batch * T) {
        const TokenId id = ids(b, t);
        const bool good = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
        const float* token = good ? wte.row(static_cast<std::size_t>(id)) : nullptr;
        const float* position = wpe.row(start + t);
        for (std::size_t c = threadIdx.x % 32; c < C; c += 32) {
            float x = (good ? token[c] : __int_as_float(0x7fc00000)) + position[c];
            if (masked) x = uniform(dropout.seed, dropout.offset + row * C + c) >= dropout.p ? x * factor : 0.0F;
            store(out.data + row * C + c, x);
        }
        row += step;
        t += step;
        if (t >= T) {
            t -= T;
            ++b;
        }
    }
}

Status check(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, const Dropout& dropout, std::size_t B, std::size_t T, std::size_t C) {
    if (wpe.cols != wte.cols || B != ids.rows || T != ids.cols || C != wte.cols) return {Code::shape_mismatch};
    const std::size_t P = wpe.rows;
    if (start > P || ids.cols > P - start) {
        const std::size_t p = start > P ? start : P;
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    if (!(dropout.p >= 0.0F && dropout.p <= 1.0F)) return {Code::invalid_argument};
    return {};
}

template <class Out>
Status run(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
           std::size_t start, const Dropout& dropout, DeviceTensor3<Out> out, cudaStream_t stream) {
    const Status status = check(wte, wpe, ids, start, dropout, out.batch, out.time, out.channels);
    if (status.code != Code::ok || out.batch == 0 || out.time == 0 || out.channels == 0) return status;
    const std::size_t blocks = (out.batch * out.time + warps_per_block - 1) / warps_per_block;
    walk<<<static_cast<unsigned>(blocks < most_blocks ? blocks : most_blocks), 32 * warps_per_block, 0, stream>>>(
        wte, wpe, ids, start, dropout, 1.0F / (1.0F - dropout.p), out);
    return status;
}

} // namespace

Status embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    return run(wte, wpe, ids, start, dropout, out, stream);
}

Status embed_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                  DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                  DeviceTensor3<std::uint16_t> out, cudaStream_t stream) {
    return run(wte, wpe, ids, start, dropout, out, stream);
}

} // namespace exercise

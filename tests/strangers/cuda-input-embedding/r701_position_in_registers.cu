// right: a warp takes one position and up to 256 channels of it, keeps the position's values in registers and walks over the sequences of the batch
#include "contract.h"

#include <cuda_bf16.h>

namespace exercise {
namespace {

__device__ void store(float* to, float x) { *to = x; }
__device__ void store(std::uint16_t* to, float x) { *to = __bfloat16_as_ushort(__float2bfloat16_rn(x)); }

// What the mask needs; factor is 1 and limit 0 where nothing is dropped.
struct Mask {
    std::uint64_t seed;
    std::uint64_t offset;
    double limit;
    float factor;
};

__device__ float apply(const Mask& mask, std::uint64_t e, float s) {
    if (!(mask.limit > 0)) return s;
    std::uint64_t z = mask.seed + (mask.offset + e + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    const double u = (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
    return u >= mask.limit ? s * mask.factor : 0.0F;
}

constexpr unsigned slots = 8;
constexpr unsigned width = 32 * slots;
constexpr unsigned warps = 4;

template <class Out>
__global__ void embed_by_position(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                                  DeviceMatrix<const TokenId> ids, std::size_t start, Mask mask,
                                  DeviceTensor3<Out> out) {
    const std::size_t C = out.channels;
    const std::size_t pieces = (C + width - 1) / width;
    const std::size_t units = pieces * out.time;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * warps;
    for (std::size_t u = static_cast<std::size_t>(blockIdx.x) * warps + threadIdx.y; u < units; u += step) {
        const std::size_t t = u / pieces;
        const std::size_t c0 = u % pieces * width + threadIdx.x;
        const float* position = wpe.row(start + t);
        float held[slots];
#pragma unroll
        for (unsigned k = 0; k < slots; ++k)
            held[k] = c0 + 32 * k < C ? position[c0 + 32 * k] : 0.0F;
        for (std::size_t b = 0; b < out.batch; ++b) {
            const TokenId id = ids(b, t);
            const bool good = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
            const float* token = good ? wte.row(static_cast<std::size_t>(id)) : nullptr;
            Out* to = out.row(b, t);
            const std::uint64_t e0 = (static_cast<std::uint64_t>(b) * out.time + t) * C;
#pragma unroll
            for (unsigned k = 0; k < slots; ++k) {
                const std::size_t c = c0 + 32 * k;
                if (c >= C) continue;
                const float value = good ? token[c] : __int_as_float(0x7fc00000);
                store(to + c, apply(mask, e0 + c, value + held[k]));
            }
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
    const Mask mask{dropout.seed, dropout.offset, dropout.train ? static_cast<double>(dropout.p) : 0.0,
                    1.0F / (1.0F - dropout.p)};
    const std::size_t units = (out.channels + width - 1) / width * out.time;
    const std::size_t blocks = (units + warps - 1) / warps;
    embed_by_position<<<static_cast<unsigned>(blocks < 100000 ? blocks : 100000), dim3(32, warps), 0, stream>>>(
        wte, wpe, ids, start, mask, out);
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

// wrong: embed_bf16 stores four results as one uint2 where the row of out is a multiple of 4 bytes, but that store needs 8: misaligned for rows of out at an address with address % 8 == 4
#include "contract.h"

#include <cuda_bf16.h>

namespace exercise {
namespace {

struct Job {
    DeviceMatrix<const float> wte, wpe;
    DeviceMatrix<const TokenId> ids;
    std::size_t start;
    Dropout d;
    float f;
};

template <unsigned A>
__device__ __forceinline__ bool aligned(const void* p) {
    return (reinterpret_cast<std::uintptr_t>(p) & (A - 1)) == 0;
}

__device__ __forceinline__ float drop(const Job& j, float s, std::uint64_t e) {
    if (!j.d.train || j.d.p == 0.0f) return s;
    std::uint64_t z = j.d.seed + (j.d.offset + e + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    const double u = (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
    return u >= static_cast<double>(j.d.p) ? s * j.f : 0.0f;
}

__device__ __forceinline__ unsigned bits(float x) { return __bfloat16_as_ushort(__float2bfloat16_rn(x)); }

__device__ __forceinline__ bool wide_ok(const float* row) { return aligned<16>(row); }
__device__ __forceinline__ bool wide_ok(const std::uint16_t* row) { return aligned<sizeof(unsigned)>(row); }

__device__ __forceinline__ void put(float* row, std::size_t q, float4 v) { reinterpret_cast<float4*>(row)[q] = v; }
__device__ __forceinline__ void put(std::uint16_t* row, std::size_t q, float4 v) {
    reinterpret_cast<uint2*>(row)[q] = make_uint2(bits(v.x) | bits(v.y) << 16, bits(v.z) | bits(v.w) << 16);
}
__device__ __forceinline__ void put1(float* row, std::size_t c, float v) { row[c] = v; }
__device__ __forceinline__ void put1(std::uint16_t* row, std::size_t c, float v) {
    row[c] = static_cast<std::uint16_t>(bits(v));
}

template <class O>
__global__ void __launch_bounds__(256) warp_rows(Job j, DeviceTensor3<O> out) {
    const std::size_t N = out.batch * out.time, C = out.channels;
    const std::size_t step = std::size_t{gridDim.x} * 8;
    const unsigned lane = threadIdx.x % 32;
    for (std::size_t n = std::size_t{blockIdx.x} * 8 + threadIdx.x / 32; n < N; n += step) {
        const std::size_t b = n / out.time, t = n % out.time;
        const TokenId id = j.ids(b, t);
        const float* pos = j.wpe.row(j.start + t);
        O* to = out.row(b, t);
        const std::uint64_t e = n * C;
        if (id < 0 || static_cast<std::size_t>(id) >= j.wte.rows) {
            for (std::size_t c = lane; c < C; c += 32)
                put1(to, c, drop(j, __uint_as_float(0x7fc00000u), e + c));
            continue;
        }
        const float* tok = j.wte.row(static_cast<std::size_t>(id));
        std::size_t done = 0;
        if (aligned<16>(tok) && aligned<16>(pos) && wide_ok(to)) {
            const std::size_t quads = C / 4;
            for (std::size_t q = lane; q < quads; q += 32) {
                const float4 a = reinterpret_cast<const float4*>(tok)[q];
                const float4 p = reinterpret_cast<const float4*>(pos)[q];
                put(to, q,
                    make_float4(drop(j, a.x + p.x, e + 4 * q), drop(j, a.y + p.y, e + 4 * q + 1),
                                drop(j, a.z + p.z, e + 4 * q + 2), drop(j, a.w + p.w, e + 4 * q + 3)));
            }
            done = quads * 4;
        }
        for (std::size_t c = done + lane; c < C; c += 32) put1(to, c, drop(j, tok[c] + pos[c], e + c));
    }
}

template <class O>
Status launch(const Job& j, DeviceTensor3<O> out, cudaStream_t stream) {
    const std::size_t C = j.wte.cols, P = j.wpe.rows, T = j.ids.cols;
    if (j.wpe.cols != C || out.batch != j.ids.rows || out.time != T || out.channels != C)
        return {Code::shape_mismatch};
    if (j.start > P || T > P - j.start) {
        const std::size_t p = j.start > P ? j.start : P;
        return Status::position_out_of_range(p - j.start, static_cast<std::int64_t>(p), P);
    }
    if (!(j.d.p >= 0.0f && j.d.p <= 1.0f)) return {Code::invalid_argument};
    const std::size_t N = out.batch * T;
    if (N == 0 || C == 0) return {};
    const std::size_t blocks = (N + 7) / 8;
    warp_rows<O><<<static_cast<unsigned>(blocks < 2112 ? blocks : 2112), 256, 0, stream>>>(j, out);
    return {};
}

} // namespace

Status embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    return launch(Job{wte, wpe, ids, start, dropout, 1.0F / (1.0F - dropout.p)}, out, stream);
}

Status embed_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                  DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                  DeviceTensor3<std::uint16_t> out, cudaStream_t stream) {
    return launch(Job{wte, wpe, ids, start, dropout, 1.0F / (1.0F - dropout.p)}, out, stream);
}

} // namespace exercise

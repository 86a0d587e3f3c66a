// wrong: the index offset + e is formed in 32 bits, so masks with an offset + e of 2^32 and more are those of the index modulo 2^32
#include "contract.h"

#include <cuda_bf16.h>

namespace exercise {

#define GOLDEN 0x9E3779B97F4A7C15ull

__device__ bool alive(Dropout d, unsigned index) {
    unsigned long long z = d.seed + (index + 1ull) * GOLDEN;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return (((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52 >= d.p;
}

__device__ float one(const float* tok, const float* pos, Dropout d, float f, unsigned long long e,
                     unsigned long long c) {
    float s = (tok ? tok[c] : __int_as_float(0x7fc00000)) + pos[c];
    if (d.train && d.p > 0) s = alive(d, (unsigned)(d.offset + e)) ? s * f : 0.0f;
    return s;
}

template <bool half, class O>
__global__ void kern(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                     DeviceMatrix<const TokenId> ids, unsigned long long start, Dropout d, float f,
                     DeviceTensor3<O> out) {
    // block: (32, 4), x along channels, y along rows
    unsigned long long N = out.batch * out.time;
    for (unsigned long long r = blockIdx.x * 4ull + threadIdx.y; r < N; r += gridDim.x * 4ull) {
        unsigned long long b = r / out.time, t = r % out.time;
        int id = ids(b, t);
        const float* tok = nullptr;
        if (id >= 0 && (unsigned long long)id < wte.rows) tok = wte.row(id);
        const float* pos = wpe.row(start + t);
        for (unsigned long long c = threadIdx.x; c < out.channels; c += 32) {
            float y = one(tok, pos, d, f, r * out.channels + c, c);
            if constexpr (half)
                out(b, t, c) = __bfloat16_as_ushort(__float2bfloat16_rn(y));
            else
                out(b, t, c) = y;
        }
    }
}

template <bool half, class O>
Status launch(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
              unsigned long long start, Dropout d, DeviceTensor3<O> out, cudaStream_t stream) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return Status{Code::shape_mismatch};
    unsigned long long P = wpe.rows;
    if (start > P || ids.cols > P - start) {
        unsigned long long p = start > P ? start : P;
        return Status::position_out_of_range(p - start, (long long)p, P);
    }
    if (d.p != d.p || d.p < 0 || d.p > 1) return Status{Code::invalid_argument};
    unsigned long long N = out.batch * out.time;
    if (N == 0 || out.channels == 0) return Status{};
    unsigned blocks = (unsigned)((N + 3) / 4 > 65535 ? 65535 : (N + 3) / 4);
    kern<half, O><<<blocks, dim3(32, 4), 0, stream>>>(wte, wpe, ids, start, d, 1.0f / (1.0f - d.p), out);
    return Status{};
}

Status embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    return launch<false>(wte, wpe, ids, start, dropout, out, stream);
}

Status embed_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                  DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                  DeviceTensor3<std::uint16_t> out, cudaStream_t stream) {
    return launch<true>(wte, wpe, ids, start, dropout, out, stream);
}

} // namespace exercise

// wrong: offset + e is computed in 32 bits, so the mask is another one where offset + e reaches 2^32, say with an offset of 2^32 late in a run; a right one adds in 64 bits
#include "contract.h"

#include <cuda_bf16.h>

namespace exercise {
namespace {

__device__ void store(float* to, float x) { *to = x; }
__device__ void store(std::uint16_t* to, float x) { *to = __bfloat16_as_ushort(__float2bfloat16_rn(x)); }

__device__ unsigned long long mix(unsigned long long z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

struct Mask {
    unsigned long long seed;
    unsigned offset;
    float p;
    float factor;
    bool on;

    __device__ float operator()(float s, unsigned e) const {
        if (!on) return s;
        const unsigned number = offset + e;
        const unsigned long long bits = mix(seed + (number + 1ull) * 0x9E3779B97F4A7C15ull);
        const double u = (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52;
        return u >= p ? s * factor : 0.0F;
    }
};

template <class Out>
__global__ void block_per_token(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                                DeviceMatrix<const TokenId> ids, std::size_t start, Mask mask, DeviceTensor3<Out> out) {
    const unsigned token = blockIdx.x;
    const unsigned T = static_cast<unsigned>(out.time), C = static_cast<unsigned>(out.channels);
    const unsigned b = token / T, t = token % T;
    const TokenId id = ids(b, t);
    const bool good = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
    for (unsigned c = threadIdx.x; c < C; c += blockDim.x) {
        const float x = good ? wte(static_cast<std::size_t>(id), c) : __int_as_float(0x7fc00000);
        store(&out(b, t, c), mask(x + wpe(start + t, c), token * C + c));
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
    const Mask mask{dropout.seed, static_cast<unsigned>(dropout.offset), dropout.p, 1.0F / (1.0F - dropout.p),
                    dropout.train && dropout.p > 0};
    block_per_token<<<static_cast<unsigned>(out.batch * out.time), out.channels > 32 ? 128 : 32, 0, stream>>>(
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

// wrong: launches a block per token with a thread per channel, so C > 1,024 (GPT-2 XL has 1,600) asks for more threads than a block may have, and the launch is refused; any C has to work.
#include "contract.h"

#include <cuda_bf16.h>

namespace exercise {
namespace {

struct Generator {
    std::uint64_t seed;
    std::uint64_t offset;

    __device__ bool keeps(std::uint64_t e, float p) const {
        std::uint64_t z = seed + (offset + e + 1) * 0x9E3779B97F4A7C15ull;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        z = (z ^ (z >> 31)) >> 12;
        return (static_cast<double>(z) + 0.5) / 4503599627370496.0 >= static_cast<double>(p); // 2^52
    }
};

__device__ float sum_and_drop(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                              DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout) {
    const std::size_t n = blockIdx.x;
    const std::size_t c = threadIdx.x;
    const std::size_t b = n / ids.cols, t = n % ids.cols;
    const TokenId id = ids(b, t);
    float s = __uint_as_float(0x7fffffffu); // NaN
    if (id >= 0 && static_cast<std::size_t>(id) < wte.rows) s = wte(static_cast<std::size_t>(id), c);
    s += wpe(start + t, c);
    if (!dropout.train || dropout.p == 0.0f) return s;
    const Generator generator{dropout.seed, dropout.offset};
    if (!generator.keeps(n * wte.cols + c, dropout.p)) return 0.0f;
    return s * (1.0f / (1.0f - dropout.p));
}

__global__ void to_float(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                         DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout, float* out) {
    const std::size_t e = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    out[e] = sum_and_drop(wte, wpe, ids, start, dropout);
}

__global__ void to_bfloat16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                            DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                            std::uint16_t* out) {
    const std::size_t e = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const float x = sum_and_drop(wte, wpe, ids, start, dropout);
    const std::uint32_t bits = __float_as_uint(x);
    const std::uint32_t even = (bits >> 16) & 1u;
    out[e] = x != x ? 0x7fff : static_cast<std::uint16_t>((bits + 0x7fffu + even) >> 16);
}

Status refuse(const DeviceMatrix<const float>& wte, const DeviceMatrix<const float>& wpe,
              const DeviceMatrix<const TokenId>& ids, std::size_t start, float p, std::size_t B, std::size_t T,
              std::size_t C) {
    if (wpe.cols != wte.cols || B != ids.rows || T != ids.cols || C != wte.cols)
        return Status{Code::shape_mismatch};
    const std::size_t P = wpe.rows;
    if (start > P || T > P - start) {
        const std::size_t missing = start > P ? start : P;
        return Status::position_out_of_range(missing - start, static_cast<std::int64_t>(missing), P);
    }
    if (p >= 0.0f && p <= 1.0f) return Status{};
    return Status{Code::invalid_argument};
}

} // namespace

Status embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    const Status status = refuse(wte, wpe, ids, start, dropout.p, out.batch, out.time, out.channels);
    const std::size_t tokens = out.batch * out.time;
    if (status.code != Code::ok || tokens == 0 || out.channels == 0) return status;
    to_float<<<static_cast<unsigned>(tokens), static_cast<unsigned>(out.channels), 0, stream>>>(wte, wpe, ids, start,
                                                                                              dropout, out.data);
    return status;
}

Status embed_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                  DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                  DeviceTensor3<std::uint16_t> out, cudaStream_t stream) {
    const Status status = refuse(wte, wpe, ids, start, dropout.p, out.batch, out.time, out.channels);
    const std::size_t tokens = out.batch * out.time;
    if (status.code != Code::ok || tokens == 0 || out.channels == 0) return status;
    to_bfloat16<<<static_cast<unsigned>(tokens), static_cast<unsigned>(out.channels), 0, stream>>>(
        wte, wpe, ids, start, dropout, out.data);
    return status;
}

} // namespace exercise

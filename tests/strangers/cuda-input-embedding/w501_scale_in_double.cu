// wrong: keeps the factor as a double and rounds the scaled sum once, "more accurate" but other bits wherever 1 / (1 - p) is not a float (p = 0.1; at p = 0.5 all is well); the contract multiplies the floats s and f = 1.0F / (1.0F - p), and there is one right value.
#include "contract.h"

#include <algorithm>
#include <cuda_bf16.h>

namespace exercise {
namespace {

__device__ double uniform(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    z ^= z >> 31;
    return (static_cast<double>(z >> 12) + 0.5) * 2.220446049250313e-16; // 2^-52
}

__device__ void store(float* to, float x) {
    *to = x;
}

__device__ void store(std::uint16_t* to, float x) {
    std::uint32_t bits = __float_as_uint(x);
    if ((bits & 0x7fffffffu) > 0x7f800000u)
        bits = 0x7fc00000u;
    else
        bits += 0x7fffu + ((bits >> 16) & 1u);
    *to = static_cast<std::uint16_t>(bits >> 16);
}

template <class Out>
__global__ void embed_kernel(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                             DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                             DeviceTensor3<Out> out) {
    const std::size_t C = out.channels;
    const std::size_t count = out.batch * out.time * C;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    const bool drops = dropout.train && dropout.p > 0.0f;
    const double p = dropout.p;
    const double factor = drops ? 1.0 / (1.0 - p) : 1.0;
    for (std::size_t e = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; e < count; e += step) {
        const std::size_t c = e % C;
        const std::size_t t = e / C % out.time;
        const TokenId id = ids(e / C / out.time, t);
        const bool known = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
        const float token = known ? wte(static_cast<std::size_t>(id), c) : __uint_as_float(0x7fc00000u);
        float x = token + wpe(start + t, c);
        if (drops) x = uniform(dropout.seed, dropout.offset + e) >= p ? static_cast<float>(x * factor) : 0.0f;
        store(out.data + e, x);
    }
}

template <class Out>
Status run(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
           std::size_t start, Dropout dropout, DeviceTensor3<Out> out, cudaStream_t stream) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return Status{Code::shape_mismatch};
    if (start > wpe.rows || out.time > wpe.rows - start) {
        const std::size_t p = std::max(start, wpe.rows);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    if (!(dropout.p >= 0.0f && dropout.p <= 1.0f)) return Status{Code::invalid_argument};
    const std::size_t count = out.batch * out.time * out.channels;
    if (count == 0) return {};
    const auto blocks = static_cast<unsigned>(std::min<std::size_t>((count - 1) / 256 + 1, 1u << 20));
    embed_kernel<<<blocks, 256, 0, stream>>>(wte, wpe, ids, start, dropout, out);
    return {};
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

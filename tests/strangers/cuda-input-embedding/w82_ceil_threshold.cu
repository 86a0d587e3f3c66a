// wrong: survival is decided by k >= ceil(p * 2^52) on the 52 bits k, which forgets the half: with p in (0, 2^-53] an element with k = 0 (seed 0, offset 2^64 - 1) is dropped although uniform = 2^-53 >= p
#include "contract.h"

#include <cmath>
#include <cuda_bf16.h>

namespace exercise {
namespace {

struct Mask {
    std::uint64_t seed, offset, threshold;
    float factor;
    bool active;

    __device__ float operator()(float x, std::uint64_t e) const {
        if (!active) return x;
        std::uint64_t z = seed + (offset + e + 1) * 0x9E3779B97F4A7C15ull;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        const std::uint64_t k = (z ^ (z >> 31)) >> 12;
        return k >= threshold ? __fmul_rn(x, factor) : 0.0f;
    }
};

struct AsFloat {
    using type = float;
    __device__ static float make(float x) { return x; }
};
struct AsBf16 {
    using type = std::uint16_t;
    __device__ static std::uint16_t make(float x) { return __bfloat16_as_ushort(__float2bfloat16_rn(x)); }
};

// a warp for each row
template <class Policy>
__global__ void rows(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                     DeviceMatrix<const TokenId> ids, std::size_t start, Mask mask,
                     DeviceTensor3<typename Policy::type> out) {
    const std::size_t N = out.batch * out.time, C = out.channels;
    const std::size_t warps = std::size_t{gridDim.x} * (blockDim.x / 32);
    const unsigned lane = threadIdx.x & 31;
    for (std::size_t n = std::size_t{blockIdx.x} * (blockDim.x / 32) + threadIdx.x / 32; n < N; n += warps) {
        const std::size_t t = n % out.time;
        const TokenId id = ids(n / out.time, t);
        const bool known = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
        const float* a = wte.row(known ? id : 0);
        const float* b = wpe.row(start + t);
        for (std::size_t c = lane; c < C; c += 32) {
            const float x = __fadd_rn(known ? a[c] : __int_as_float(0x7fffffff), b[c]);
            out.data[n * C + c] = Policy::make(mask(x, n * C + c));
        }
    }
}

template <class Policy>
Status run(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
           std::size_t start, Dropout d, DeviceTensor3<typename Policy::type> out, cudaStream_t stream) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return {Code::shape_mismatch};
    if (start > wpe.rows || wpe.rows - start < ids.cols) {
        const std::size_t p = start > wpe.rows ? start : wpe.rows;
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    if (!(d.p >= 0 && d.p <= 1)) return {Code::invalid_argument};
    const std::size_t N = out.batch * out.time;
    if (N == 0 || out.channels == 0) return {};
    const Mask mask{d.seed, d.offset, static_cast<std::uint64_t>(std::ceil(static_cast<double>(d.p) * 0x1p52)),
                    1.0F / (1.0F - d.p), d.train && d.p != 0};
    const std::size_t blocks = (N + 7) / 8;
    rows<Policy><<<static_cast<unsigned>(blocks < 4096 ? blocks : 4096), 256, 0, stream>>>(wte, wpe, ids, start,
                                                                                          mask, out);
    return {};
}

} // namespace

Status embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    return run<AsFloat>(wte, wpe, ids, start, dropout, out, stream);
}

Status embed_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                  DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                  DeviceTensor3<std::uint16_t> out, cudaStream_t stream) {
    return run<AsBf16>(wte, wpe, ids, start, dropout, out, stream);
}

} // namespace exercise

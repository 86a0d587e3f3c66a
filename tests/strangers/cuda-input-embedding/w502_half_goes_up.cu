// wrong: rounds to bfloat16 by adding half a unit and cutting, so a value half way between two goes away from zero (1 + 2^-8 becomes 0x3f81); ties go to the even one (0x3f80).
#include "contract.h"

#include <cuda_bf16.h>

namespace exercise {
namespace {

/// The float path: nothing to convert.
struct AsFloat {
    using type = float;
    __device__ static float make(float x) { return x; }
};

struct AsBfloat16 {
    using type = std::uint16_t;
    __device__ static std::uint16_t make(float x) {
        if (x != x) return 0x7fc0; // adding could carry a NaN into the sign
        return static_cast<std::uint16_t>((__float_as_uint(x) + 0x8000u) >> 16);
    }
};

__device__ std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

/// One warp per row of the output, in a loop over the grid.
template <class As>
__global__ void rows_kernel(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                            DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                            DeviceTensor3<typename As::type> out) {
    const unsigned lane = threadIdx.x & 31u;
    const std::size_t warps_per_block = blockDim.x >> 5;
    const std::size_t warps = gridDim.x * warps_per_block;
    const std::size_t rows = out.batch * out.time;
    const double p = dropout.p;
    const float factor = dropout.p > 0.0f ? 1.0f / (1.0f - dropout.p) : 1.0f;

    for (std::size_t row = blockIdx.x * warps_per_block + (threadIdx.x >> 5); row < rows; row += warps) {
        const std::size_t b = row / out.time;
        const std::size_t t = row - b * out.time;
        const TokenId id = ids(b, t);
        const float* token = id < 0 || static_cast<std::size_t>(id) >= wte.rows
                                 ? nullptr
                                 : wte.row(static_cast<std::size_t>(id));
        const float* position = wpe.row(start + t);
        auto* target = out.row(b, t);
        for (std::size_t c = lane; c < out.channels; c += 32) {
            float s = (token != nullptr ? token[c] : __uint_as_float(0x7fc00000u)) + position[c];
            if (dropout.train) {
                const std::uint64_t k = random_bits(dropout.seed, dropout.offset + row * out.channels + c) >> 12;
                const double uniform = (static_cast<double>(k) + 0.5) * 2.220446049250313e-16; // 2^-52
                s = uniform >= p ? s * factor : 0.0f;
            }
            target[c] = As::make(s);
        }
    }
}

template <class As>
Status launch(const DeviceMatrix<const float>& wte, const DeviceMatrix<const float>& wpe,
              const DeviceMatrix<const TokenId>& ids, std::size_t start, const Dropout& dropout,
              const DeviceTensor3<typename As::type>& out, cudaStream_t stream) {
    const std::size_t P = wpe.rows;
    const bool fits = wte.cols == wpe.cols && out.channels == wte.cols && out.batch == ids.rows && out.time == ids.cols;
    if (!fits) return {Code::shape_mismatch};
    if (start > P) return Status::position_out_of_range(0, static_cast<std::int64_t>(start), P);
    if (P - start < out.time) return Status::position_out_of_range(P - start, static_cast<std::int64_t>(P), P);
    if (!(dropout.p >= 0.0f) || !(dropout.p <= 1.0f)) return {Code::invalid_argument};

    const std::size_t rows = out.batch * out.time;
    if (rows == 0 || out.channels == 0) return {};
    const std::size_t blocks = (rows + 7) / 8;
    rows_kernel<As><<<static_cast<unsigned>(blocks < 8192 ? blocks : 8192), 256, 0, stream>>>(wte, wpe, ids, start,
                                                                                             dropout, out);
    return {};
}

} // namespace

Status embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    return launch<AsFloat>(wte, wpe, ids, start, dropout, out, stream);
}

Status embed_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                  DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                  DeviceTensor3<std::uint16_t> out, cudaStream_t stream) {
    return launch<AsBfloat16>(wte, wpe, ids, start, dropout, out, stream);
}

} // namespace exercise

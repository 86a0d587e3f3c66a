// right: a warp owns 128 channels of a position, keeps its part of the position row in registers and goes through all sequences; the mask compares whole numbers with a threshold that is exact for each float p
#include "contract.h"

#include <cmath>
#include <cuda_bf16.h>

namespace exercise {

namespace {

__device__ std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

__device__ void store(float* to, float value) { *to = value; }
__device__ void store(std::uint16_t* to, float value) {
    *to = __bfloat16_as_ushort(__float2bfloat16_rn(value));
}

constexpr unsigned per_lane = 4;
constexpr std::size_t piece = 32 * per_lane;
constexpr unsigned warps_of_block = 4;

template <class T>
__global__ void embed_pieces(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                             DeviceMatrix<const TokenId> ids, std::size_t start, std::uint64_t threshold,
                             float factor, std::uint64_t seed, std::uint64_t offset, DeviceTensor3<T> out) {
    const unsigned lane = threadIdx.x % 32;
    const std::size_t channels = out.channels;
    const std::size_t pieces = (channels + piece - 1) / piece;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * warps_of_block;
    for (std::size_t item = static_cast<std::size_t>(blockIdx.x) * warps_of_block + threadIdx.x / 32;
         item < out.time * pieces; item += step) {
        const std::size_t t = item / pieces;
        const std::size_t c0 = item % pieces * piece + lane;
        float position[per_lane];
#pragma unroll
        for (unsigned k = 0; k < per_lane; ++k)
            position[k] = c0 + k * 32 < channels ? wpe(start + t, c0 + k * 32) : 0.0F;

        for (std::size_t b = 0; b < out.batch; ++b) {
            const TokenId id = ids(b, t);
            const bool known = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
            const std::size_t first = (b * out.time + t) * channels;
#pragma unroll
            for (unsigned k = 0; k < per_lane; ++k) {
                const std::size_t c = c0 + k * 32;
                if (c >= channels) break;
                const float token =
                    known ? wte(static_cast<std::size_t>(id), c) : __int_as_float(0x7fc00000);
                float value = token + position[k];
                if (threshold != 0) {
                    const bool kept = random_bits(seed, offset + first + c) >> 12 >= threshold;
                    value = kept ? value * factor : 0.0F;
                } else {
                    value = value * factor;
                }
                store(out.data + first + c, value);
            }
        }
    }
}

// (k + 0.5) * 2^-52 >= p holds for the whole numbers k from this one on. Both steps are exact where it matters:
// p has 24 bits, so p * 2^52 - 0.5 fits a double, or is so close to -0.5 that the answer is 0.
std::uint64_t first_survivor(float p) {
    const double bound = std::ceil(std::ldexp(static_cast<double>(p), 52) - 0.5);
    return bound > 0 ? static_cast<std::uint64_t>(bound) : 0;
}

template <class T>
Status check(const DeviceMatrix<const float>& wte, const DeviceMatrix<const float>& wpe,
             const DeviceMatrix<const TokenId>& ids, std::size_t start, const Dropout& dropout,
             const DeviceTensor3<T>& out) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return Status{Code::shape_mismatch};
    if (start > wpe.rows || ids.cols > wpe.rows - start) {
        const std::size_t p = start > wpe.rows ? start : wpe.rows;
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    if (!(dropout.p >= 0.0F && dropout.p <= 1.0F)) return Status{Code::invalid_argument};
    return Status{};
}

template <class T>
Status run(const DeviceMatrix<const float>& wte, const DeviceMatrix<const float>& wpe,
           const DeviceMatrix<const TokenId>& ids, std::size_t start, const Dropout& dropout,
           const DeviceTensor3<T>& out, cudaStream_t stream) {
    const Status status = check(wte, wpe, ids, start, dropout, out);
    if (status.code != Code::ok) return status;
    if (out.batch == 0 || out.time == 0 || out.channels == 0) return status;
    const float p = dropout.train ? dropout.p : 0.0F;
    const std::size_t items = out.time * ((out.channels + piece - 1) / piece);
    const std::size_t blocks = (items + warps_of_block - 1) / warps_of_block;
    embed_pieces<<<static_cast<unsigned>(blocks < 16384 ? blocks : 16384), 32 * warps_of_block, 0, stream>>>(
        wte, wpe, ids, start, first_survivor(p), 1.0F / (1.0F - p), dropout.seed, dropout.offset, out);
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

// wrong: embed_bf16 rounds with the well-known sum of whole numbers (bits + 0x7fff + last bit) >> 16 without looking for NaN first; for a NaN with all fraction bits set, such as 0x7fffffff (which is what a sum or product that is NaN gives on NVIDIA GPUs, and what any arithmetic gives that keeps a payload of wte or wpe), the carry runs over and the result is -0 (0x8000) or +0; a right one makes it a NaN
#include "contract.h"

#include <cuda_bf16.h>

namespace exercise {

namespace {

__device__ std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

__device__ double uniform(std::uint64_t seed, std::uint64_t index) {
    return (static_cast<double>(random_bits(seed, index) >> 12) + 0.5) * 0x1p-52;
}

// To the nearest, ties to even: adds half a unit, less one where the last bit kept is 0.
__device__ std::uint16_t to_bf16(float value) {
    const unsigned bits = __float_as_uint(value);
    return static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

__device__ void store(float* to, float value) { *to = value; }
__device__ void store(std::uint16_t* to, float value) { *to = to_bf16(value); }

template <class T>
__global__ void embed_rows(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                           DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                           DeviceTensor3<T> out) {
    const bool drops = dropout.train && dropout.p > 0;
    const float factor = 1.0F / (1.0F - dropout.p);
    for (std::size_t row = blockIdx.x; row < out.batch * out.time; row += gridDim.x) {
        const std::size_t b = row / out.time;
        const std::size_t t = row % out.time;
        const TokenId id = ids(b, t);
        const bool known = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
        for (std::size_t c = threadIdx.x; c < out.channels; c += blockDim.x) {
            const float token = known ? wte(static_cast<std::size_t>(id), c) : __int_as_float(0x7fc00000);
            float value = token + wpe(start + t, c);
            if (drops) {
                const std::uint64_t index = dropout.offset + row * out.channels + c;
                value = uniform(dropout.seed, index) < static_cast<double>(dropout.p) ? 0.0F : value * factor;
            }
            store(&out(b, t, c), value);
        }
    }
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
    const std::size_t rows = out.batch * out.time;
    if (rows == 0 || out.channels == 0) return status;
    const unsigned threads = out.channels > 128 ? 256 : out.channels > 32 ? 128 : 32;
    embed_rows<<<static_cast<unsigned>(rows < 65536 ? rows : 65536), threads, 0, stream>>>(wte, wpe, ids, start,
                                                                                           dropout, out);
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

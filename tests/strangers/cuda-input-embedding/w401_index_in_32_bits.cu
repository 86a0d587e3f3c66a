// wrong: the number of the element is handed to the generator as `unsigned`, so offset + e is cut to 32 bits; in training with 0 < p < 1 every element with offset + e >= 2^32 gets the mask of another one (an offset of 2^32 and a small tensor will do); a right one keeps all 64 bits
#include "contract.h"

#include <cuda_bf16.h>

namespace exercise {

namespace {

// SplitMix64, as in the problem dropout.
__device__ double uniform(std::uint64_t seed, unsigned index) {
    std::uint64_t z = seed + (index + 1ull) * 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    z ^= z >> 31;
    return (static_cast<double>(z >> 12) + 0.5) * 0x1p-52;
}

__device__ void store(float* to, float value) { *to = value; }
__device__ void store(std::uint16_t* to, float value) {
    *to = __bfloat16_as_ushort(__float2bfloat16_rn(value));
}

// One thread an element, and on by the size of the grid.
template <class T>
__global__ void embed_kernel(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                             DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                             DeviceTensor3<T> out) {
    const std::size_t total = out.batch * out.time * out.channels;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    const float factor = 1.0F / (1.0F - dropout.p);
    for (std::size_t e = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; e < total;
         e += step) {
        const std::size_t c = e % out.channels;
        const std::size_t t = e / out.channels % out.time;
        const std::size_t b = e / out.channels / out.time;
        const TokenId id = ids(b, t);
        const bool known = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
        const float token = known ? wte(static_cast<std::size_t>(id), c) : __int_as_float(0x7fc00000);
        float value = token + wpe(start + t, c);
        if (dropout.train && dropout.p > 0) {
            const bool kept = uniform(dropout.seed, dropout.offset + e) >= static_cast<double>(dropout.p);
            value = kept ? value * factor : 0.0F;
        }
        store(out.data + e, value);
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
    const std::size_t total = out.batch * out.time * out.channels;
    if (status.code != Code::ok || total == 0) return status;
    const std::size_t blocks = (total + 255) / 256;
    embed_kernel<<<static_cast<unsigned>(blocks < 65536 ? blocks : 65536), 256, 0, stream>>>(
        wte, wpe, ids, start, dropout, out);
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

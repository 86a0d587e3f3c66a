// wrong: the factor is made in double and then rounded, float(1.0 / (1.0 - p)), instead of the float 1.0F / (1.0F - p); in training with a p where the two differ (p = 0.15F, 0.29F, 0.48F; the same for 0.1F, 0.2F, 0.25F, 0.5F) surviving elements are off by a unit in the last place; a right one makes both operations in float
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

__device__ void store(float* to, float value) { *to = value; }
__device__ void store(std::uint16_t* to, float value) {
    *to = __bfloat16_as_ushort(__float2bfloat16_rn(value));
}

struct Mask {
    bool on;
    double p;
    float factor;
    std::uint64_t seed;
    std::uint64_t offset;

    __device__ float apply(float value, std::uint64_t e) const {
        if (!on) return value;
        return uniform(seed, offset + e) >= p ? value * factor : 0.0F;
    }
};

template <class T>
__global__ void embed_kernel(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                             DeviceMatrix<const TokenId> ids, std::size_t start, Mask mask,
                             DeviceTensor3<T> out) {
    const std::size_t rows = out.batch * out.time;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.y;
    for (std::size_t r = static_cast<std::size_t>(blockIdx.x) * blockDim.y + threadIdx.y; r < rows;
         r += step) {
        const std::size_t b = r / out.time;
        const std::size_t t = r % out.time;
        const TokenId id = ids(b, t);
        const float* position = wpe.row(start + t);
        T* to = out.data + r * out.channels;
        if (id >= 0 && static_cast<std::size_t>(id) < wte.rows) {
            const float* token = wte.row(static_cast<std::size_t>(id));
            for (std::size_t c = threadIdx.x; c < out.channels; c += 32)
                store(to + c, mask.apply(token[c] + position[c], r * out.channels + c));
        } else {
            for (std::size_t c = threadIdx.x; c < out.channels; c += 32)
                store(to + c, mask.apply(__int_as_float(0x7fc00000), r * out.channels + c));
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
    const std::size_t rows = out.batch * out.time;
    if (status.code != Code::ok || rows == 0 || out.channels == 0) return status;
    const double p = dropout.p;
    const Mask mask{dropout.train && p > 0, p, static_cast<float>(1.0 / (1.0 - p)), dropout.seed,
                    dropout.offset};
    const std::size_t blocks = (rows + 3) / 4;
    embed_kernel<<<static_cast<unsigned>(blocks < 65536 ? blocks : 65536), dim3(32, 4), 0, stream>>>(
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

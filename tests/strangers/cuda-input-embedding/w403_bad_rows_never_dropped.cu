// wrong: the row of an id outside [0, V) is filled with NaN at once and skips dropout; in training with p > 0 its elements that do not survive have to be +0 (a row of NaN "is added, scaled and dropped like any other"), here they are NaN; a right one drops them, too
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

template <class T>
__global__ void embed_kernel(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                             DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout, float factor,
                             DeviceTensor3<T> out) {
    const std::size_t rows = out.batch * out.time;
    const std::size_t warps = static_cast<std::size_t>(gridDim.x) * (blockDim.x / 32);
    const std::size_t channels = out.channels;
    const bool drops = dropout.train && dropout.p > 0;
    for (std::size_t row = static_cast<std::size_t>(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32;
         row < rows; row += warps) {
        const std::size_t b = row / out.time;
        const std::size_t t = row % out.time;
        const TokenId id = ids(b, t);
        T* to = out.row(b, t);
        if (id < 0 || static_cast<std::size_t>(id) >= wte.rows) {
            // Nothing that is done to a NaN changes it.
            for (std::size_t c = threadIdx.x % 32; c < channels; c += 32)
                store(to + c, __int_as_float(0x7fc00000));
            continue;
        }
        const float* token = wte.row(static_cast<std::size_t>(id));
        const float* position = wpe.row(start + t);
        for (std::size_t c = threadIdx.x % 32; c < channels; c += 32) {
            float value = token[c] + position[c];
            if (drops) {
                const double u = uniform(dropout.seed, dropout.offset + row * channels + c);
                value = u >= static_cast<double>(dropout.p) ? value * factor : 0.0F;
            }
            store(to + c, value);
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
    if (!(status == Status{})) return status;
    const std::size_t rows = ids.rows * ids.cols;
    if (rows == 0 || wte.cols == 0) return status;
    const std::size_t blocks = (rows + 3) / 4;
    embed_kernel<<<static_cast<unsigned>(blocks < 32768 ? blocks : 32768), 128, 0, stream>>>(
        wte, wpe, ids, start, dropout, 1.0F / (1.0F - dropout.p), out);
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

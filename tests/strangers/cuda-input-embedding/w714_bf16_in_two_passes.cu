// wrong: embed_bf16 writes the floats to scratch memory and rounds them in a second kernel, so B * T * C floats are written and read again: two passes over memory, and more bytes than the function needs, in every call with work; a right one rounds in the register, in one pass
#include "contract.h"

#include <cuda_bf16.h>

namespace exercise {
namespace {

__device__ double uniform(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
}

__global__ void embed_kernel(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                             DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout, float factor,
                             DeviceTensor3<float> out) {
    const std::size_t rows = out.batch * out.time;
    const std::size_t warps = static_cast<std::size_t>(gridDim.x) * (blockDim.x / 32);
    for (std::size_t row = static_cast<std::size_t>(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32; row < rows;
         row += warps) {
        const std::size_t b = row / out.time, t = row % out.time;
        const TokenId id = ids(b, t);
        const bool good = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
        for (std::size_t c = threadIdx.x % 32; c < out.channels; c += 32) {
            const float token = good ? wte(static_cast<std::size_t>(id), c) : __int_as_float(0x7fc00000);
            float x = token + wpe(start + t, c);
            if (dropout.train && dropout.p > 0) {
                const std::uint64_t e = static_cast<std::uint64_t>(row) * out.channels + c;
                x = uniform(dropout.seed, dropout.offset + e) >= dropout.p ? x * factor : 0.0F;
            }
            out(b, t, c) = x;
        }
    }
}

__global__ void round_all(const float* from, std::uint16_t* to, std::size_t count) {
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
         i += static_cast<std::size_t>(gridDim.x) * blockDim.x)
        to[i] = __bfloat16_as_ushort(__float2bfloat16_rn(from[i]));
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

void launch(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
            std::size_t start, const Dropout& dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    const std::size_t blocks = (out.batch * out.time + 7) / 8;
    embed_kernel<<<static_cast<unsigned>(blocks < 65536 ? blocks : 65536), 256, 0, stream>>>(
        wte, wpe, ids, start, dropout, 1.0F / (1.0F - dropout.p), out);
}

} // namespace

Status embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    const Status status = check(wte, wpe, ids, start, dropout, out.batch, out.time, out.channels);
    if (status.code == Code::ok && out.batch != 0 && out.time != 0 && out.channels != 0)
        launch(wte, wpe, ids, start, dropout, out, stream);
    return status;
}

Status embed_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                  DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                  DeviceTensor3<std::uint16_t> out, cudaStream_t stream) {
    const Status status = check(wte, wpe, ids, start, dropout, out.batch, out.time, out.channels);
    if (status.code != Code::ok || out.batch == 0 || out.time == 0 || out.channels == 0) return status;
    const std::size_t count = out.batch * out.time * out.channels;
    void* scratch = nullptr;
    cudaMallocAsync(&scratch, count * sizeof(float), stream);
    float* sums = static_cast<float*>(scratch);
    launch(wte, wpe, ids, start, dropout, {sums, out.batch, out.time, out.channels}, stream);
    const std::size_t blocks = (count + 255) / 256;
    round_all<<<static_cast<unsigned>(blocks < 65536 ? blocks : 65536), 256, 0, stream>>>(sums, out.data, count);
    cudaFreeAsync(scratch, stream);
    return status;
}

} // namespace exercise

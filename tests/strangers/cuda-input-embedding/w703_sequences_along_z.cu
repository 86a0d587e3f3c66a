// wrong: lays tokens along y and sequences along z of the grid, where at most 65,535 blocks are allowed, so with B > 65,535 or T > 65,535 the launch is refused and nothing is written; a right one strides, or lays them along x
#include "contract.h"

#include <cuda_bf16.h>

namespace exercise {
namespace {

__device__ void store(float* to, float x) { *to = x; }
__device__ void store(std::uint16_t* to, float x) { *to = __bfloat16_as_ushort(__float2bfloat16_rn(x)); }

__device__ double uniform(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
}

template <class Out>
__global__ void one_element(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                            DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout, float factor,
                            DeviceTensor3<Out> out) {
    const std::size_t b = blockIdx.z, t = blockIdx.y;
    const TokenId id = ids(b, t);
    const bool good = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
    const std::size_t c0 = static_cast<std::size_t>(blockIdx.x) * 256 + threadIdx.x;
    for (std::size_t c = c0; c < c0 + 256 && c < out.channels; c += 64) {
        float x = good ? wte(static_cast<std::size_t>(id), c) : __int_as_float(0x7fc00000);
        x += wpe(start + t, c);
        if (dropout.train && dropout.p > 0) {
            const std::uint64_t e = (b * out.time + t) * out.channels + c;
            const bool survives = uniform(dropout.seed, dropout.offset + e) >= dropout.p;
            x = survives ? x * factor : 0.0F;
        }
        store(&out(b, t, c), x);
    }
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

template <class Out>
Status run(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
           std::size_t start, const Dropout& dropout, DeviceTensor3<Out> out, cudaStream_t stream) {
    const Status status = check(wte, wpe, ids, start, dropout, out.batch, out.time, out.channels);
    if (status.code != Code::ok || out.batch == 0 || out.time == 0 || out.channels == 0) return status;
    const dim3 grid(static_cast<unsigned>((out.channels + 255) / 256), static_cast<unsigned>(out.time),
                    static_cast<unsigned>(out.batch));
    one_element<<<grid, 64, 0, stream>>>(wte, wpe, ids, start, dropout, 1.0F / (1.0F - dropout.p), out);
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

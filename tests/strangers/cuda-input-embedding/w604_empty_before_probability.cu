// wrong: returns Status{} for an empty output before p is looked at; shows where B, T or C is 0 and p is outside [0, 1] or NaN; a right one refuses it with invalid_argument whether or not there is work
#include "contract.h"

#include <cuda_bf16.h>

namespace exercise {
namespace {

__device__ double uniform(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return (((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
}

__device__ void write(float& to, float value) {
    to = value;
}

__device__ void write(std::uint16_t& to, float value) {
    to = __bfloat16_as_ushort(__float2bfloat16_rn(value));
}

template <class Out>
__global__ void element_kernel(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                               DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                               DeviceTensor3<Out> out, std::size_t count) {
    const std::size_t e = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (e >= count) return;
    const std::size_t c = e % out.channels;
    const std::size_t t = e / out.channels % out.time;
    const std::size_t b = e / out.channels / out.time;
    const long long id = ids(b, t);
    float s = nanf("");
    if (id >= 0 && id < static_cast<long long>(wte.rows)) s = wte(static_cast<std::size_t>(id), c);
    s = s + wpe(start + t, c);
    if (dropout.train && dropout.p != 0) {
        if (uniform(dropout.seed, dropout.offset + e) >= dropout.p)
            s = s * (1.0F / (1.0F - dropout.p));
        else
            s = 0;
    }
    write(out.data[e], s);
}

template <class Out>
Status run(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
           std::size_t start, Dropout dropout, DeviceTensor3<Out> out, cudaStream_t stream) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return Status{Code::shape_mismatch};
    if (start > wpe.rows)
        return Status::position_out_of_range(0, static_cast<std::int64_t>(start), wpe.rows);
    if (ids.cols > wpe.rows - start)
        return Status::position_out_of_range(wpe.rows - start, static_cast<std::int64_t>(wpe.rows), wpe.rows);
    const std::size_t count = out.batch * out.time * out.channels;
    if (count == 0) return Status{}; // nothing to do
    if (!(dropout.p >= 0 && dropout.p <= 1)) return Status{Code::invalid_argument};
    const unsigned blocks = static_cast<unsigned>((count + 255) / 256);
    element_kernel<Out><<<blocks, 256, 0, stream>>>(wte, wpe, ids, start, dropout, out, count);
    return Status{};
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

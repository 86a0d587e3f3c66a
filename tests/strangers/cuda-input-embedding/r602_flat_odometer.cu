// right: one thread an element of the flat output, whose (sequence, position, column) moves on by addition and carry; dropped elements read nothing
#include "contract.h"

#include <cuda_bf16.h>

#include <cmath>

namespace exercise {
namespace {

struct Step {
    std::size_t b, t, c;
};

struct Mask {
    std::uint64_t seed, offset, limit; // survives if the 52 bits are not below the limit
    float factor;
    bool on;
};

__device__ __forceinline__ std::uint64_t random52(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return (z ^ (z >> 31)) >> 12;
}

__device__ __forceinline__ void put(float* to, float v) {
    *to = v;
}

__device__ __forceinline__ void put(std::uint16_t* to, float v) {
    *to = __bfloat16_as_ushort(__float2bfloat16_rn(v));
}

template <class Out>
__global__ void flat(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                     DeviceMatrix<const TokenId> ids, std::size_t start, Mask mask, DeviceTensor3<Out> out,
                     Step step) {
    const std::size_t count = out.batch * out.time * out.channels;
    const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    std::size_t e = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (e >= count) return;
    std::size_t c = e % out.channels, t = e / out.channels % out.time, b = e / out.channels / out.time;
    for (;;) {
        if (mask.on && random52(mask.seed, mask.offset + e) < mask.limit) {
            put(out.data + e, 0.0F);
        } else {
            const TokenId id = ids(b, t);
            float v = nanf("");
            if (id >= 0 && static_cast<std::uint64_t>(id) < wte.rows) v = wte(static_cast<std::size_t>(id), c);
            v += wpe(start + t, c);
            if (mask.on) v *= mask.factor;
            put(out.data + e, v);
        }
        if (stride >= count - e) return;
        e += stride;
        c += step.c;
        t += step.t;
        b += step.b;
        if (c >= out.channels) c -= out.channels, ++t;
        if (t >= out.time) t -= out.time, ++b;
    }
}

template <class Out>
Status launch(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
              std::size_t start, const Dropout& dropout, DeviceTensor3<Out> out, cudaStream_t stream) {
    const bool fits = wpe.cols == wte.cols && out.batch == ids.rows && out.time == ids.cols &&
                      out.channels == wte.cols;
    if (!fits) return Status{Code::shape_mismatch};
    const std::size_t positions = wpe.rows;
    if (start > positions)
        return Status::position_out_of_range(0, static_cast<std::int64_t>(start), positions);
    if (positions - start < ids.cols)
        return Status::position_out_of_range(positions - start, static_cast<std::int64_t>(positions),
                                             positions);
    if (std::isnan(dropout.p) || dropout.p < 0.0F || dropout.p > 1.0F) return Status{Code::invalid_argument};
    const std::size_t count = out.batch * out.time * out.channels;
    if (count == 0) return Status{};

    // uniform >= p is k + 0.5 >= p * 2^52; both sides are exact in double.
    const double least = std::ceil(std::ldexp(static_cast<double>(dropout.p), 52) - 0.5);
    Mask mask;
    mask.seed = dropout.seed;
    mask.offset = dropout.offset;
    mask.limit = least > 0 ? static_cast<std::uint64_t>(least) : 0;
    mask.factor = 1.0F / (1.0F - dropout.p);
    mask.on = dropout.train;

    constexpr unsigned threads = 256;
    const std::size_t needed = (count - 1) / threads + 1;
    const unsigned blocks = needed < 4096 ? static_cast<unsigned>(needed) : 4096u;
    const std::size_t stride = static_cast<std::size_t>(blocks) * threads;
    const Step step{stride / out.channels / out.time, stride / out.channels % out.time, stride % out.channels};
    flat<Out><<<blocks, threads, 0, stream>>>(wte, wpe, ids, start, mask, out, step);
    return Status{};
}

} // namespace

Status embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    return launch(wte, wpe, ids, start, dropout, out, stream);
}

Status embed_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                  DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                  DeviceTensor3<std::uint16_t> out, cudaStream_t stream) {
    return launch(wte, wpe, ids, start, dropout, out, stream);
}

} // namespace exercise

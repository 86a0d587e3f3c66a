// wrong: a block keeps a whole position row in dynamic shared memory, more than the 48 KB that a launch gets unasked where C > 12,288; shows for such C, where the launch is refused and nothing is written; a right one takes any C
#include "contract.h"

#include <cuda_bf16.h>

#include <algorithm>

namespace exercise {
namespace {

constexpr unsigned threads = 128;

struct Mask {
    std::uint64_t seed, offset;
    float p, factor;
    bool on;
};

__device__ __forceinline__ float dropped(float v, const Mask& mask, std::uint64_t e) {
    if (!mask.on) return v;
    std::uint64_t z = mask.seed + (mask.offset + e + 1) * 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    const double u = (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
    return u >= static_cast<double>(mask.p) ? v * mask.factor : 0.0F;
}

__device__ __forceinline__ void put(float* to, float v) {
    *to = v;
}
__device__ __forceinline__ void put(std::uint16_t* to, float v) {
    *to = __bfloat16_as_ushort(__float2bfloat16_rn(v));
}

// One block a position: its row is read once, for all sequences.
template <class Out>
__global__ void position_kernel(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                                DeviceMatrix<const TokenId> ids, std::size_t start, Mask mask,
                                DeviceTensor3<Out> out) {
    extern __shared__ float position[];
    const std::size_t t = blockIdx.x, channels = out.channels;
    for (std::size_t c = threadIdx.x; c < channels; c += threads)
        position[c] = wpe(start + t, c);
    __syncthreads();
    for (std::size_t b = 0; b < out.batch; ++b) {
        const TokenId id = ids(b, t);
        const bool known = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
        const std::size_t begin = (b * out.time + t) * channels;
        for (std::size_t c = threadIdx.x; c < channels; c += threads) {
            const float token = known ? wte(static_cast<std::size_t>(id), c) : nanf("");
            put(out.data + begin + c, dropped(token + position[c], mask, begin + c));
        }
    }
}

template <class Out>
Status run(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
           std::size_t start, Dropout dropout, DeviceTensor3<Out> out, cudaStream_t stream) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return Status{Code::shape_mismatch};
    if (start > wpe.rows || ids.cols > wpe.rows - start) {
        const std::size_t p = std::max(start, wpe.rows);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    if (!(dropout.p >= 0 && dropout.p <= 1)) return Status{Code::invalid_argument};
    const std::size_t rows = out.batch * out.time;
    if (rows == 0 || out.channels == 0) return Status{};
    const Mask mask{dropout.seed, dropout.offset, dropout.p, 1.0F / (1.0F - dropout.p), dropout.train};
    const std::size_t bytes = out.channels * sizeof(float);
    position_kernel<Out><<<static_cast<unsigned>(out.time), threads, bytes, stream>>>(wte, wpe, ids, start, mask, out);
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

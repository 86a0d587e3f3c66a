// wrong: the offset of a position row, (start + t) * stride, is an int; shows where it is 2^31 or more (only tables of positions that reach over more than 2^31 elements; token rows are right there); a right one computes it in 64 bits
#include "contract.h"

#include <cuda_bf16.h>

#include <algorithm>

namespace exercise {
namespace {

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

// One block a token.
template <class Out>
__global__ void token_kernel(const float* wte, int vocabulary, long long wte_stride, const float* wpe, int wpe_stride,
                             DeviceMatrix<const TokenId> ids, int first, Mask mask, Out* out, int channels) {
    const unsigned time = static_cast<unsigned>(ids.cols);
    const unsigned b = blockIdx.x / time, t = blockIdx.x % time;
    const TokenId id = ids(b, t);
    const bool known = id >= 0 && id < vocabulary;
    const float* const position = wpe + (first + static_cast<int>(t)) * wpe_stride;
    const std::uint64_t row = static_cast<std::uint64_t>(blockIdx.x) * channels;
    for (int c = threadIdx.x; c < channels; c += blockDim.x) {
        const float token = known ? wte[id * wte_stride + c] : nanf("");
        put(out + row + c, dropped(token + position[c], mask, row + c));
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
    const unsigned threads = out.channels >= 256 ? 256 : 64;
    const int vocabulary = static_cast<int>(std::min<std::size_t>(wte.rows, 0x7FFFFFFF));
    token_kernel<Out><<<static_cast<unsigned>(rows), threads, 0, stream>>>(
        wte.data, vocabulary, static_cast<long long>(wte.stride), wpe.data, static_cast<int>(wpe.stride), ids,
        static_cast<int>(start), mask, out.data, static_cast<int>(out.channels));
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

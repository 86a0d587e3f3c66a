// wrong: fills the row of an id outside [0, V) with NaN and goes on to the next row, so with train and p > 0 the dropped elements of such a row are NaN; a row of NaN is dropped like any other, and a dropped element is +0.
#include "contract.h"

#include <cuda_bf16.h>

namespace exercise {
namespace {

constexpr unsigned block_size = 128;

__device__ __forceinline__ void put(float& to, float x) {
    to = x;
}

__device__ __forceinline__ void put(std::uint16_t& to, float x) {
    const unsigned bits = __float_as_uint(x);
    const unsigned rounded = bits + 0x7fffu + ((bits >> 16) & 1u);
    to = static_cast<std::uint16_t>(x == x ? rounded >> 16 : 0x7fc0u);
}

/// Whole numbers: k + 1/2 >= p * 2^52, for k the upper 52 bits.
__device__ __forceinline__ bool survives(std::uint64_t seed, std::uint64_t index, std::uint64_t least) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return ((z ^ (z >> 31)) >> 12) >= least;
}

struct Mask {
    std::uint64_t seed;
    std::uint64_t offset;
    std::uint64_t least;
    float factor;
};

template <class T>
__global__ void embed_rows(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                           DeviceMatrix<const TokenId> ids, std::size_t start, Mask mask, DeviceTensor3<T> out) {
    const std::size_t C = out.channels;
    const float nan = __uint_as_float(0x7fc00000u);
    for (std::size_t n = blockIdx.x; n < out.batch * out.time; n += gridDim.x) {
        const std::size_t b = n / out.time;
        const std::size_t t = n % out.time;
        T* target = out.row(b, t);
        const TokenId id = ids(b, t);
        if (id < 0 || static_cast<std::size_t>(id) >= wte.rows) {
            for (std::size_t c = threadIdx.x; c < C; c += block_size)
                put(target[c], nan);
            continue;
        }
        const float* token = wte.row(static_cast<std::size_t>(id));
        const float* position = wpe.row(start + t);
        for (std::size_t c = threadIdx.x; c < C; c += block_size) {
            const float s = token[c] + position[c];
            put(target[c], survives(mask.seed, mask.offset + n * C + c, mask.least) ? s * mask.factor : 0.0f);
        }
    }
}

template <class T>
Status start_kernel(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
                    std::size_t start, Dropout dropout, DeviceTensor3<T> out, cudaStream_t stream) {
    if (wpe.cols != wte.cols) return Status{Code::shape_mismatch};
    if (out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols) return Status{Code::shape_mismatch};
    const std::size_t P = wpe.rows;
    const std::size_t p = start > P ? start : P;
    if (start > P || out.time > P - start)
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    if (!(dropout.p >= 0.0f && dropout.p <= 1.0f)) return Status{Code::invalid_argument};
    const std::size_t rows = out.batch * out.time;
    if (rows == 0 || out.channels == 0) return Status{};

    Mask mask{dropout.seed, dropout.offset, 0, 1.0f};
    if (dropout.train && dropout.p > 0.0f) {
        const double edge = static_cast<double>(dropout.p) * 4503599627370496.0 - 0.5; // 2^52
        mask.least = edge <= 0.0 ? 0 : static_cast<std::uint64_t>(edge);
        if (static_cast<double>(mask.least) < edge) ++mask.least;
        mask.factor = 1.0f / (1.0f - dropout.p);
    }
    const unsigned blocks = rows < 65536 ? static_cast<unsigned>(rows) : 65536u;
    embed_rows<T><<<blocks, block_size, 0, stream>>>(wte, wpe, ids, start, mask, out);
    return Status{};
}

} // namespace

Status embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    return start_kernel<float>(wte, wpe, ids, start, dropout, out, stream);
}

Status embed_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                  DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                  DeviceTensor3<std::uint16_t> out, cudaStream_t stream) {
    return start_kernel<std::uint16_t>(wte, wpe, ids, start, dropout, out, stream);
}

} // namespace exercise

// wrong: the row of an id outside the vocabulary is filled with NaN and not dropped; shows for such ids in training with p > 0, where dropped elements must be +0; a right one drops them like any other
#include "contract.h"

#include <cuda_bf16.h>

#include <algorithm>

namespace exercise {
namespace {

constexpr unsigned warps = 8;

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

template <class Out>
__global__ void rows_kernel(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                            DeviceMatrix<const TokenId> ids, std::size_t start, Mask mask,
                            DeviceTensor3<Out> out) {
    const std::size_t rows = out.batch * out.time, channels = out.channels;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * warps;
    for (std::size_t row = static_cast<std::size_t>(blockIdx.x) * warps + threadIdx.x / 32; row < rows;
         row += step) {
        const std::size_t b = row / out.time, t = row % out.time;
        const TokenId id = ids(b, t);
        const float* const position = wpe.row(start + t);
        Out* const to = out.row(b, t);
        if (id < 0 || static_cast<std::size_t>(id) >= wte.rows) { // no such token
            for (std::size_t c = threadIdx.x % 32; c < channels; c += 32)
                put(to + c, nanf(""));
            continue;
        }
        const float* const token = wte.row(static_cast<std::size_t>(id));
        for (std::size_t c = threadIdx.x % 32; c < channels; c += 32)
            put(to + c, dropped(token[c] + position[c], mask, row * channels + c));
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
    const std::size_t blocks = std::min<std::size_t>((rows + warps - 1) / warps, 16384);
    rows_kernel<Out><<<static_cast<unsigned>(blocks), 32 * warps, 0, stream>>>(wte, wpe, ids, start, mask, out);
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

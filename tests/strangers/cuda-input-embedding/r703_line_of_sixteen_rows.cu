// right: a block notes the two source rows of sixteen tokens in shared memory and then walks over their 16 * C results as one line, since out is dense; the number of an element is its place in that line
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

constexpr unsigned tile = 16;
constexpr unsigned threads = 256;

template <bool Masked, class Out>
__global__ void embed_tiles(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                            DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout, float factor,
                            DeviceTensor3<Out> out) {
    __shared__ const float* tokens[tile];
    __shared__ const float* positions[tile];
    const std::size_t C = out.channels;
    const std::size_t rows = out.batch * out.time;
    const std::size_t jump_rows = threads / C, jump_cols = threads % C;
    for (std::size_t first = static_cast<std::size_t>(blockIdx.x) * tile; first < rows;
         first += static_cast<std::size_t>(gridDim.x) * tile) {
        const std::size_t here = rows - first < tile ? rows - first : tile;
        if (threadIdx.x < here) {
            const std::size_t row = first + threadIdx.x;
            const std::size_t b = row / out.time, t = row % out.time;
            const TokenId id = ids(b, t);
            const bool good = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
            tokens[threadIdx.x] = good ? wte.row(static_cast<std::size_t>(id)) : nullptr;
            positions[threadIdx.x] = wpe.row(start + t);
        }
        __syncthreads();
        std::size_t r = threadIdx.x / C, c = threadIdx.x % C;
        for (std::size_t e = first * C + threadIdx.x; e < (first + here) * C; e += threads) {
            const float* token = tokens[r];
            float x = (token != nullptr ? token[c] : __int_as_float(0x7fc00000)) + positions[r][c];
            if constexpr (Masked) {
                const bool survives = uniform(dropout.seed, dropout.offset + e) >= static_cast<double>(dropout.p);
                x = survives ? x * factor : 0.0F;
            }
            store(out.data + e, x);
            r += jump_rows;
            c += jump_cols;
            if (c >= C) {
                c -= C;
                ++r;
            }
        }
        __syncthreads();
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
    if (status.code != Code::ok) return status;
    if (out.batch == 0 || out.time == 0 || out.channels == 0) return status;
    const std::size_t tiles = (out.batch * out.time + tile - 1) / tile;
    const unsigned blocks = static_cast<unsigned>(tiles < 50000 ? tiles : 50000);
    const float factor = 1.0F / (1.0F - dropout.p);
    if (dropout.train && dropout.p != 0.0F)
        embed_tiles<true><<<blocks, threads, 0, stream>>>(wte, wpe, ids, start, dropout, factor, out);
    else
        embed_tiles<false><<<blocks, threads, 0, stream>>>(wte, wpe, ids, start, dropout, factor, out);
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

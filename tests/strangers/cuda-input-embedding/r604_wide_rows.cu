// right: a warp a row, id by shuffle from lane 0; where the three rows lie at the same distance from a 16-byte boundary it peels up to 3 elements, goes on by fours and ends with a tail, else one by one
#include "contract.h"

#include <cuda_bf16.h>

#include <algorithm>

namespace exercise {
namespace {

constexpr unsigned block = 256;

struct Params {
    DeviceMatrix<const float> wte, wpe;
    DeviceMatrix<const TokenId> ids;
    std::size_t start;
    std::uint64_t seed, offset;
    float p, factor;
    bool masked;
};

struct Unit {
    const Params& params;
    std::uint64_t row_number;

    __device__ __forceinline__ float operator()(float token, float position, std::size_t c) const {
        const float sum = token + position;
        if (!params.masked) return sum;
        std::uint64_t z = params.seed + (row_number + c + 1) * 0x9E3779B97F4A7C15ull;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        const double u = (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
        return u < static_cast<double>(params.p) ? 0.0F : sum * params.factor;
    }
};

__device__ __forceinline__ unsigned short rounded(float v) {
    return __bfloat16_as_ushort(__float2bfloat16_rn(v));
}

__device__ __forceinline__ void store(float* to, float v) {
    *to = v;
}
__device__ __forceinline__ void store(std::uint16_t* to, float v) {
    *to = rounded(v);
}
__device__ __forceinline__ void store4(float* to, float4 v) {
    *reinterpret_cast<float4*>(to) = v;
}
__device__ __forceinline__ void store4(std::uint16_t* to, float4 v) {
    ushort4 four;
    four.x = rounded(v.x);
    four.y = rounded(v.y);
    four.z = rounded(v.z);
    four.w = rounded(v.w);
    *reinterpret_cast<ushort4*>(to) = four;
}

// How many elements a pointer lies behind a boundary of four of them.
template <class T>
__device__ __forceinline__ unsigned behind(const T* at) {
    return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(at) / sizeof(T)) % 4;
}

template <class Out>
__global__ void wide(Params params, DeviceTensor3<Out> out) {
    const unsigned lane = threadIdx.x % 32;
    const std::size_t rows = out.batch * out.time, channels = out.channels;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * (block / 32);
    for (std::size_t row = static_cast<std::size_t>(blockIdx.x) * (block / 32) + threadIdx.x / 32; row < rows;
         row += step) {
        const std::size_t b = row / out.time, t = row % out.time;
        TokenId id = 0;
        if (lane == 0) id = params.ids(b, t);
        id = __shfl_sync(0xFFFFFFFFu, id, 0);
        const float* const position = params.wpe.row(params.start + t);
        Out* const to = out.row(b, t);
        const Unit unit{params, params.offset + row * channels};
        if (id < 0 || static_cast<std::size_t>(id) >= params.wte.rows) {
            for (std::size_t c = lane; c < channels; c += 32)
                store(to + c, unit(nanf(""), position[c], c));
            continue;
        }
        const float* const token = params.wte.row(static_cast<std::size_t>(id));
        const unsigned shift = behind(to);
        if (behind(token) != shift || behind(position) != shift) {
            for (std::size_t c = lane; c < channels; c += 32)
                store(to + c, unit(token[c], position[c], c));
            continue;
        }
        const std::size_t until = (4 - shift) % 4;
        const std::size_t peel = until < channels ? until : channels;
        if (lane < peel) store(to + lane, unit(token[lane], position[lane], lane));
        const std::size_t fours = (channels - peel) / 4;
        for (std::size_t k = lane; k < fours; k += 32) {
            const std::size_t c = peel + 4 * k;
            const float4 a = *reinterpret_cast<const float4*>(token + c);
            const float4 p = *reinterpret_cast<const float4*>(position + c);
            float4 v;
            v.x = unit(a.x, p.x, c);
            v.y = unit(a.y, p.y, c + 1);
            v.z = unit(a.z, p.z, c + 2);
            v.w = unit(a.w, p.w, c + 3);
            store4(to + c, v);
        }
        const std::size_t c = peel + 4 * fours + lane;
        if (c < channels) store(to + c, unit(token[c], position[c], c)); // fewer than four are left
    }
}

template <class Out>
Status go(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
          std::size_t start, Dropout dropout, DeviceTensor3<Out> out, cudaStream_t stream) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return Status{Code::shape_mismatch};
    if (start > wpe.rows || wpe.rows - start < ids.cols) {
        const std::size_t p = std::max(start, wpe.rows);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    if (!(dropout.p >= 0.0F) || !(dropout.p <= 1.0F)) return Status{Code::invalid_argument};
    const std::size_t rows = out.batch * out.time;
    if (rows > 0 && out.channels > 0) {
        const Params params{wte, wpe, ids, start, dropout.seed, dropout.offset, dropout.p,
                            1.0F / (1.0F - dropout.p), dropout.train};
        const unsigned grid = static_cast<unsigned>(std::min<std::size_t>((rows + block / 32 - 1) / (block / 32), 2048));
        wide<Out><<<grid, block, 0, stream>>>(params, out);
    }
    return Status{};
}

} // namespace

Status embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    return go(wte, wpe, ids, start, dropout, out, stream);
}

Status embed_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                  DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                  DeviceTensor3<std::uint16_t> out, cudaStream_t stream) {
    return go(wte, wpe, ids, start, dropout, out, stream);
}

} // namespace exercise

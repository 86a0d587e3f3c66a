// wrong: in rows copied by fours the last C % 4 elements take their random numbers from the row's beginning (lane instead of whole + lane), so their mask is wrong in training where such a row is aligned and C % 4 != 0; a right one numbers them by their channel
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
__global__ void embed_kernel(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                             DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout, float factor,
                             DeviceTensor3<Out> out) {
    const std::size_t row = static_cast<std::size_t>(blockIdx.x) * blockDim.y + threadIdx.y;
    if (row >= out.batch * out.time) return;
    const std::size_t b = row / out.time, t = row % out.time, C = out.channels;
    const TokenId id = ids(b, t);
    const bool good = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
    const float nan = __int_as_float(0x7fc00000);
    const float* position = wpe.row(start + t);
    const float* token = good ? wte.row(static_cast<std::size_t>(id)) : position;
    Out* to = out.row(b, t);
    const std::uint64_t first = dropout.offset + static_cast<std::uint64_t>(row) * C;
    const bool masked = dropout.train && dropout.p > 0;
    const auto finish = [&](std::uint64_t number, float s) {
        if (!masked) return s;
        return uniform(dropout.seed, first + number) >= dropout.p ? s * factor : 0.0F;
    };
    const bool wide = (reinterpret_cast<std::uintptr_t>(position) | reinterpret_cast<std::uintptr_t>(token)) % 16 == 0 &&
                      reinterpret_cast<std::uintptr_t>(to) % (4 * sizeof(Out)) == 0;
    const unsigned lane = threadIdx.x;
    if (!wide) {
        for (std::size_t c = lane; c < C; c += 32)
            store(to + c, finish(c, (good ? token[c] : nan) + position[c]));
        return;
    }
    const std::size_t whole = C / 4 * 4;
    for (std::size_t c = 4 * lane; c < whole; c += 128) {
        float4 x = make_float4(nan, nan, nan, nan);
        if (good) x = *reinterpret_cast<const float4*>(token + c);
        const float4 y = *reinterpret_cast<const float4*>(position + c);
        x = make_float4(finish(c, x.x + y.x), finish(c + 1, x.y + y.y), finish(c + 2, x.z + y.z),
                        finish(c + 3, x.w + y.w));
        if constexpr (sizeof(Out) == 4) {
            *reinterpret_cast<float4*>(to + c) = x;
        } else {
            Out four[4];
            store(four, x.x);
            store(four + 1, x.y);
            store(four + 2, x.z);
            store(four + 3, x.w);
            *reinterpret_cast<uint2*>(to + c) =
                make_uint2(four[0] | static_cast<unsigned>(four[1]) << 16, four[2] | static_cast<unsigned>(four[3]) << 16);
        }
    }
    if (lane < C - whole) {
        const std::size_t c = whole + lane;
        store(to + c, finish(lane, (good ? token[c] : nan) + position[c]));
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
    const float factor = 1.0F / (1.0F - dropout.p);
    const std::size_t blocks = (out.batch * out.time + 7) / 8;
    embed_kernel<<<static_cast<unsigned>(blocks), dim3(32, 8), 0, stream>>>(wte, wpe, ids, start,
                                                                                           dropout, factor, out);
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

// right: float4 (and 8 bytes of bfloat16) for each row whose three pointers allow it after a head of up to three elements; the mask compares whole numbers with a limit computed once on the host
#include "contract.h"

#include <cuda_bf16.h>

namespace exercise {
namespace {

struct Plan {
    std::uint64_t seed = 0;
    std::uint64_t offset = 0;
    std::uint64_t first_survivor = 0; // an element survives if the upper 52 bits are not below this
    float factor = 1;
    bool masked = false;
};

// (k + 0.5) * 2^-52 >= p holds for a whole number k exactly if k >= p * 2^52 - 0.5
Plan plan_for(const Dropout& d) {
    Plan plan;
    plan.seed = d.seed;
    plan.offset = d.offset;
    plan.masked = d.train && d.p > 0.0F;
    if (!plan.masked) return plan;
    const double border = static_cast<double>(d.p) * 4503599627370496.0; // exact
    std::uint64_t k = static_cast<std::uint64_t>(border);                 // rounds down
    const double rest = border - static_cast<double>(k);
    if (rest > 0.5) ++k;
    plan.first_survivor = k;
    plan.factor = 1.0F / (1.0F - d.p);
    return plan;
}

__device__ float drop(const Plan& plan, std::uint64_t e, float s) {
    if (!plan.masked) return s;
    std::uint64_t z = plan.seed + (plan.offset + e + 1) * 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    z ^= z >> 31;
    return z >> 12 >= plan.first_survivor ? s * plan.factor : 0.0F;
}

__device__ unsigned bits16(float x) { return __bfloat16_as_ushort(__float2bfloat16_rn(x)); }

__device__ void put(float* to, float x) { *to = x; }
__device__ void put(std::uint16_t* to, float x) { *to = static_cast<std::uint16_t>(bits16(x)); }
__device__ void put4(float* to, float4 x) { *reinterpret_cast<float4*>(to) = x; }
__device__ void put4(std::uint16_t* to, float4 x) {
    *reinterpret_cast<uint2*>(to) = make_uint2(bits16(x.x) | bits16(x.y) << 16, bits16(x.z) | bits16(x.w) << 16);
}

template <class T>
__device__ unsigned place_in_four(const T* p) {
    return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(p) / sizeof(T) % 4);
}

template <class Out>
__global__ void embed_rows(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                           DeviceMatrix<const TokenId> ids, std::size_t start, Plan plan, DeviceTensor3<Out> out) {
    const unsigned lane = threadIdx.x % 32;
    const std::size_t rows = out.batch * out.time;
    const std::size_t C = out.channels;
    const std::size_t warps = static_cast<std::size_t>(gridDim.x) * (blockDim.x / 32);
    for (std::size_t row = static_cast<std::size_t>(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32; row < rows;
         row += warps) {
        const std::size_t b = row / out.time;
        const std::size_t t = row - b * out.time;
        const TokenId id = ids(b, t);
        const bool good = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
        const float* position = wpe.row(start + t);
        const float* token = good ? wte.row(static_cast<std::size_t>(id)) : position; // of a bad id never read
        const float nan = __int_as_float(0x7fc00000);
        Out* to = out.data + row * C;
        const std::uint64_t e = static_cast<std::uint64_t>(row) * C;

        const unsigned place = place_in_four(position);
        std::size_t head = C; // how many come before the fours: all of them where the pointers do not agree
        if (place_in_four(token) == place && place_in_four(to) == place) head = (4 - place) % 4;
        if (head > C) head = C;
        const std::size_t body = (C - head) / 4 * 4;
        for (std::size_t c = lane; c < head; c += 32)
            put(to + c, drop(plan, e + c, (good ? token[c] : nan) + position[c]));
        for (std::size_t c = head + 4 * lane; c < head + body; c += 128) {
            float4 x = make_float4(nan, nan, nan, nan);
            if (good) x = *reinterpret_cast<const float4*>(token + c);
            const float4 y = *reinterpret_cast<const float4*>(position + c);
            x.x = drop(plan, e + c, x.x + y.x);
            x.y = drop(plan, e + c + 1, x.y + y.y);
            x.z = drop(plan, e + c + 2, x.z + y.z);
            x.w = drop(plan, e + c + 3, x.w + y.w);
            put4(to + c, x);
        }
        for (std::size_t c = head + body + lane; c < C; c += 32)
            put(to + c, drop(plan, e + c, (good ? token[c] : nan) + position[c]));
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
    if (!(status == Status{})) return status;
    if (out.batch == 0 || out.time == 0 || out.channels == 0) return status;
    const std::size_t blocks = (out.batch * out.time + 7) / 8;
    embed_rows<<<static_cast<unsigned>(blocks < 200000 ? blocks : 200000), 256, 0, stream>>>(wte, wpe, ids, start,
                                                                                           plan_for(dropout), out);
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

// right: a warp for each token in a grid-stride loop; each row asks anew whether its three addresses allow 16-byte loads and a 16-byte (float) or 8-byte (bfloat16) store, and takes fours with a scalar tail, or single elements with neighbouring lanes
#include "contract.h"

#include <cstdint>
#include <cuda_bf16.h>

namespace exercise {

namespace {

__device__ std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

__device__ double uniform(std::uint64_t seed, std::uint64_t index) {
    return (static_cast<double>(random_bits(seed, index) >> 12) + 0.5) * 0x1p-52;
}

struct Rule {
    bool drops;
    double p;
    float factor;
    std::uint64_t seed;
    std::uint64_t offset;
};

__device__ float dropped(float value, const Rule& rule, std::uint64_t e) {
    if (!rule.drops) return value;
    return uniform(rule.seed, rule.offset + e) >= rule.p ? value * rule.factor : 0.0F;
}

__device__ std::uint16_t rounded(float value) { return __bfloat16_as_ushort(__float2bfloat16_rn(value)); }

__device__ void store(float* to, float value) { *to = value; }
__device__ void store(std::uint16_t* to, float value) { *to = rounded(value); }

__device__ void store4(float* to, float a, float b, float c, float d) {
    *reinterpret_cast<float4*>(to) = make_float4(a, b, c, d);
}
__device__ void store4(std::uint16_t* to, float a, float b, float c, float d) {
    *reinterpret_cast<ushort4*>(to) = make_ushort4(rounded(a), rounded(b), rounded(c), rounded(d));
}

__device__ bool aligned(const void* pointer, std::size_t bytes) {
    return reinterpret_cast<std::uintptr_t>(pointer) % bytes == 0;
}

// Where `token` is null the id is unknown.
template <class T>
__device__ void embed_row(const float* token, const float* position, T* to, std::size_t channels,
                          std::uint64_t first, const Rule& rule, unsigned lane) {
    const float nan = __int_as_float(0x7fc00000);
    const bool wide = aligned(token, 16) && aligned(position, 16) && aligned(to, 4 * sizeof(T));
    const std::size_t quads = wide ? channels / 4 : 0;
    for (std::size_t q = lane; q < quads; q += 32) {
        const std::size_t c = 4 * q;
        const float4 p = *reinterpret_cast<const float4*>(position + c);
        float4 s = make_float4(nan, nan, nan, nan);
        if (token != nullptr) s = *reinterpret_cast<const float4*>(token + c);
        store4(to + c, dropped(s.x + p.x, rule, first + c), dropped(s.y + p.y, rule, first + c + 1),
               dropped(s.z + p.z, rule, first + c + 2), dropped(s.w + p.w, rule, first + c + 3));
    }
    for (std::size_t c = 4 * quads + lane; c < channels; c += 32) {
        const float s = token != nullptr ? token[c] : nan;
        store(to + c, dropped(s + position[c], rule, first + c));
    }
}

template <class T>
__global__ void embed_rows(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                           DeviceMatrix<const TokenId> ids, std::size_t start, Rule rule,
                           DeviceTensor3<T> out) {
    const std::size_t rows = out.batch * out.time;
    const std::size_t warps = static_cast<std::size_t>(gridDim.x) * blockDim.y;
    for (std::size_t row = static_cast<std::size_t>(blockIdx.x) * blockDim.y + threadIdx.y; row < rows;
         row += warps) {
        const std::size_t b = row / out.time;
        const std::size_t t = row % out.time;
        const TokenId id = ids(b, t);
        const bool known = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
        embed_row(known ? wte.row(static_cast<std::size_t>(id)) : nullptr, wpe.row(start + t), out.row(b, t),
                  out.channels, row * out.channels, rule, threadIdx.x);
    }
}

template <class T>
Status check(const DeviceMatrix<const float>& wte, const DeviceMatrix<const float>& wpe,
             const DeviceMatrix<const TokenId>& ids, std::size_t start, const Dropout& dropout,
             const DeviceTensor3<T>& out) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return Status{Code::shape_mismatch};
    if (start > wpe.rows || ids.cols > wpe.rows - start) {
        const std::size_t p = start > wpe.rows ? start : wpe.rows;
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    if (!(dropout.p >= 0.0F && dropout.p <= 1.0F)) return Status{Code::invalid_argument};
    return Status{};
}

template <class T>
Status run(const DeviceMatrix<const float>& wte, const DeviceMatrix<const float>& wpe,
           const DeviceMatrix<const TokenId>& ids, std::size_t start, const Dropout& dropout,
           const DeviceTensor3<T>& out, cudaStream_t stream) {
    const Status status = check(wte, wpe, ids, start, dropout, out);
    const std::size_t rows = out.batch * out.time;
    if (status.code != Code::ok || rows == 0 || out.channels == 0) return status;
    const Rule rule{dropout.train && dropout.p > 0, dropout.p, 1.0F / (1.0F - dropout.p), dropout.seed,
                    dropout.offset};
    const dim3 block(32, 8);
    const std::size_t blocks = (rows + block.y - 1) / block.y;
    embed_rows<<<static_cast<unsigned>(blocks < 8192 ? blocks : 8192), block, 0, stream>>>(wte, wpe, ids, start,
                                                                                           rule, out);
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

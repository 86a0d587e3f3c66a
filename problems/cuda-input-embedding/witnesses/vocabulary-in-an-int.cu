// Fault: V is converted to int before ids are compared with it, so from V = 2^31 on valid ids count as bad.
// Origin: round 14
#include "contract.h"

namespace exercise {

namespace {

__device__ __forceinline__ std::uint64_t random_word(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

__device__ __forceinline__ bool survives(const Dropout& dropout, std::uint64_t e) {
    const std::uint64_t word = random_word(dropout.seed, dropout.offset + e) >> 12;
    return (static_cast<double>(word) + 0.5) * 0x1p-52 >= static_cast<double>(dropout.p);
}

__device__ __forceinline__ void put(float* to, float value) {
    *to = value;
}

/// Rounds to the nearest of the floats whose lower half is 0, ties to even, and keeps the upper half.
__device__ __forceinline__ std::uint16_t upper_half(float value) {
    const std::uint32_t bits = __float_as_uint(value);
    if ((bits & 0x7fffffffU) > 0x7f800000U) return 0x7fc0; // a NaN must not be rounded
    return static_cast<std::uint16_t>((bits + 0x7fffU + (bits >> 16 & 1U)) >> 16);
}

__device__ __forceinline__ void put(std::uint16_t* to, float value) {
    *to = upper_half(value);
}

struct Inputs {
    DeviceMatrix<const float> wte;
    DeviceMatrix<const float> wpe;
    DeviceMatrix<const TokenId> ids;
    std::size_t start;
    Dropout dropout;
    float factor; ///< of the survivors
    bool drops;   ///< whether anything can be dropped
};

__device__ __forceinline__ float sum_at(const Inputs& in, std::size_t b, std::size_t t, std::size_t c) {
    const TokenId id = in.ids(b, t);
    const bool known = id >= 0 && id < static_cast<int>(in.wte.rows);
    const float token = known ? in.wte(static_cast<std::size_t>(id), c) : __int_as_float(0x7fc00000);
    return token + in.wpe(in.start + t, c);
}

/// One thread an element of `out`, neighbours beside each other.
template <class Out>
__global__ void embed_elements(Inputs in, DeviceTensor3<Out> out) {
    const std::size_t total = out.batch * out.time * out.channels;
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t e = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; e < total; e += step) {
        const std::size_t row = e / out.channels;
        const std::size_t c = e - row * out.channels;
        const std::size_t b = row / out.time;
        float value = sum_at(in, b, row - b * out.time, c);
        if (in.drops) value = survives(in.dropout, e) ? value * in.factor : 0.0F;
        put(out.data + e, value);
    }
}

unsigned blocks_for(std::size_t threads_wanted) {
    const std::size_t most = std::size_t{1} << 20;
    const std::size_t blocks = (threads_wanted - 1) / 256 + 1;
    return static_cast<unsigned>(blocks < most ? blocks : most);
}

template <class Out>
Status run(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
           std::size_t start, Dropout dropout, DeviceTensor3<Out> out, cudaStream_t stream) {
    const std::size_t T = ids.cols;
    const std::size_t P = wpe.rows;
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != T || out.channels != wte.cols)
        return Status{Code::shape_mismatch};
    if (start > P || T > P - start) {
        const std::size_t p = start > P ? start : P;
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    if (!(dropout.p >= 0.0F && dropout.p <= 1.0F)) return Status{Code::invalid_argument};
    if (out.batch == 0 || T == 0 || out.channels == 0) return Status{};
    const float factor = 1.0F / (1.0F - dropout.p);
    const bool drops = dropout.train && dropout.p > 0.0F;
    const Inputs in{wte, wpe, ids, start, dropout, factor, drops};
    embed_elements<Out><<<blocks_for(out.batch * T * out.channels), 256, 0, stream>>>(in, out);
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

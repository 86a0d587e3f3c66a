// right: no random number is ever a double in the kernel: the host makes of p the least 52-bit number that survives (evaluation is a least number of 0 and a factor of 1), each block owns a slice of channels of one position and walks the batch, so a position is read once, and elements are numbered by addition
#include "contract.h"

#include <cstdint>

namespace {

using namespace contract;

constexpr unsigned threads = 256;

__device__ std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/// k + 0.5 >= p * 2^52 in whole numbers: p * 2^52 is exact in double, and so is less a half of it where it
/// counts; where the difference has to be rounded, it lies in [-0.5, 0), whose ceiling is 0.
std::uint64_t least_survivor(const Dropout& d) {
    if (!d.train) return 0;
    const double bound = static_cast<double>(d.p) * 0x1p52 - 0.5;
    if (!(bound > 0.0)) return 0;
    const std::uint64_t whole = static_cast<std::uint64_t>(bound);
    return whole + (static_cast<double>(whole) < bound ? 1 : 0);
}

__device__ void store(float* to, float x) { *to = x; }

__device__ void store(std::uint16_t* to, float x) {
    const std::uint32_t bits = __float_as_uint(x);
    if ((bits & 0x7fffffffu) > 0x7f800000u)
        *to = 0x7fc0;
    else
        *to = static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

template <class T>
__global__ void embed_kernel(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                             DeviceMatrix<const TokenId> ids, std::size_t start, Dropout d, std::uint64_t least,
                             DeviceTensor3<T> out) {
    const float f = d.train ? 1.0F / (1.0F - d.p) : 1.0F;
    const std::size_t slices = (out.channels + threads - 1) / threads;
    const std::size_t per_sequence = out.time * out.channels;
    for (std::size_t job = blockIdx.x; job < out.time * slices; job += gridDim.x) {
        const std::size_t t = job / slices;
        const std::size_t c = job % slices * threads + threadIdx.x;
        if (c >= out.channels) continue;
        const float position = wpe(start + t, c);
        std::size_t e = t * out.channels + c;
        for (std::size_t b = 0; b < out.batch; ++b, e += per_sequence) {
            const TokenId id = ids(b, t);
            float token = __int_as_float(0x7fc00000);
            if (id >= 0 && static_cast<std::size_t>(id) < wte.rows) token = wte(static_cast<std::size_t>(id), c);
            const float s = __fadd_rn(token, position);
            const bool kept = random_bits(d.seed, d.offset + e) >> 12 >= least;
            store(out.data + e, kept ? __fmul_rn(s, f) : 0.0F);
        }
    }
}

template <class T>
Status launch(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
              std::size_t start, Dropout dropout, DeviceTensor3<T> out, cudaStream_t stream) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return Status{Code::shape_mismatch};
    if (start > wpe.rows || ids.cols > wpe.rows - start) {
        const std::size_t first = start > wpe.rows ? start : wpe.rows;
        return Status::position_out_of_range(first - start, static_cast<std::int64_t>(first), wpe.rows);
    }
    if (!(dropout.p >= 0.0F && dropout.p <= 1.0F)) return Status{Code::invalid_argument};
    const std::size_t rows = out.batch * out.time;
    if (rows == 0 || out.channels == 0) return Status{};
    const std::size_t blocks = out.time * ((out.channels + threads - 1) / threads);
    embed_kernel<T><<<static_cast<unsigned>(blocks < 65536 ? blocks : 65536), threads, 0, stream>>>(
        wte, wpe, ids, start, dropout, least_survivor(dropout), out);
    return Status{};
}

} // namespace

namespace exercise {

Status embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    return launch(wte, wpe, ids, start, dropout, out, stream);
}

Status embed_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                  DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                  DeviceTensor3<std::uint16_t> out, cudaStream_t stream) {
    return launch(wte, wpe, ids, start, dropout, out, stream);
}

} // namespace exercise

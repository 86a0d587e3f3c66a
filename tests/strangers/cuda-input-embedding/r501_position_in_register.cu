// right: the work is cut by position, not by token: a thread keeps one value of the position table in a register and serves up to eight sequences with it, in a loop over a grid of limited size, with a comparison of whole numbers for the mask.
#include "contract.h"

#include <cuda_bf16.h>

#include <cmath>

namespace exercise {
namespace {

constexpr unsigned block_size = 128;      // channels of an item
constexpr std::size_t slice = 8;          // sequences of an item
constexpr std::size_t most_blocks = 8192; // of a grid

/// p and 1 - p as the kernel needs them: an element survives if the upper 52 of its bits are `least` or more.
struct Mask {
    std::uint64_t first;  ///< state of the generator for element 0
    std::uint64_t least;  ///< 0: nothing is dropped
    float factor;
};

constexpr std::uint64_t golden = 0x9E3779B97F4A7C15ull;

Mask make_mask(const Dropout& dropout) {
    Mask mask{dropout.seed + (dropout.offset + 1) * golden, 0, 1.0F};
    if (dropout.train && dropout.p > 0.0F) {
        // (k + 0.5) 2^-52 >= p  <=>  k >= p 2^52 - 0.5, and nothing here has to round but what is below 0
        mask.least = static_cast<std::uint64_t>(std::ceil(std::ldexp(static_cast<double>(dropout.p), 52) - 0.5));
        mask.factor = 1.0F / (1.0F - dropout.p);
    }
    return mask;
}

__device__ __forceinline__ bool survives(const Mask& mask, std::uint64_t e) {
    std::uint64_t z = mask.first + e * golden;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return ((z ^ (z >> 31)) >> 12) >= mask.least;
}

template <class Out>
__device__ __forceinline__ Out convert(float x);

template <>
__device__ __forceinline__ float convert<float>(float x) {
    return x;
}

template <>
__device__ __forceinline__ std::uint16_t convert<std::uint16_t>(float x) {
    const std::uint32_t bits = __float_as_uint(x);
    const bool nan = (bits & 0x7FFFFFFFu) > 0x7F800000u;
    return static_cast<std::uint16_t>(nan ? 0x7FFFu : (bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16);
}

template <class Out>
__global__ void by_position(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                            DeviceMatrix<const TokenId> ids, std::size_t start, Mask mask, DeviceTensor3<Out> out,
                            std::size_t chunks, std::size_t items) {
    for (std::size_t item = blockIdx.x; item < items; item += gridDim.x) {
        // item = (slice of the batch, position, chunk of channels), the last runs fastest
        const std::size_t rest = item / chunks;
        const std::size_t c = (item - rest * chunks) * block_size + threadIdx.x;
        const std::size_t t = rest % out.time;
        const std::size_t first = rest / out.time * slice;
        if (c >= out.channels) continue;

        const float position = wpe.row(start + t)[c];
        const std::size_t after = out.batch - first < slice ? out.batch : first + slice;
        for (std::size_t b = first; b < after; ++b) {
            const TokenId id = ids.row(b)[t];
            float token = __uint_as_float(0x7FC00000u);
            if (id >= 0 && static_cast<std::size_t>(id) < wte.rows) token = wte.row(static_cast<std::size_t>(id))[c];
            const float sum = token + position;
            const std::size_t e = (b * out.time + t) * out.channels + c;
            const float kept = sum * mask.factor; // by 1 where nothing is dropped, which changes nothing
            out.data[e] = convert<Out>(mask.least == 0 || survives(mask, e) ? kept : 0.0F);
        }
    }
}

template <class Out>
Status any_embed(const DeviceMatrix<const float>& wte, const DeviceMatrix<const float>& wpe,
                 const DeviceMatrix<const TokenId>& ids, std::size_t start, const Dropout& dropout,
                 const DeviceTensor3<Out>& out, cudaStream_t stream) {
    const std::size_t B = ids.rows, T = ids.cols, C = wte.cols, P = wpe.rows;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C) return Status{Code::shape_mismatch};
    if (start > P) return Status::position_out_of_range(0, static_cast<std::int64_t>(start), P);
    if (T > P - start) return Status::position_out_of_range(P - start, static_cast<std::int64_t>(P), P);
    if (!(dropout.p >= 0.0F && dropout.p <= 1.0F)) return Status{Code::invalid_argument};
    if (B == 0 || T == 0 || C == 0) return Status{};

    const std::size_t chunks = (C - 1) / block_size + 1;
    const std::size_t items = ((B - 1) / slice + 1) * T * chunks;
    const unsigned blocks = static_cast<unsigned>(items < most_blocks ? items : most_blocks);
    by_position<Out><<<blocks, block_size, 0, stream>>>(wte, wpe, ids, start, make_mask(dropout), out, chunks, items);
    return Status{};
}

} // namespace

Status embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    return any_embed<float>(wte, wpe, ids, start, dropout, out, stream);
}

Status embed_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                  DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                  DeviceTensor3<std::uint16_t> out, cudaStream_t stream) {
    return any_embed<std::uint16_t>(wte, wpe, ids, start, dropout, out, stream);
}

} // namespace exercise

// right: a warp owns one position and 128 channels, keeps that piece of wpe in registers and walks down the batch; the mask is a comparison of 52-bit whole numbers
#include "contract.h"

namespace exercise {
namespace {

constexpr int warps_of_block = 4;
constexpr int fetches = 4; // 4 * 32 channels a warp

struct Mask {
    unsigned long long seed, offset, least; // survives if the 52 bits are at least `least`
    float factor;
    bool on;
};

__device__ inline float store_as(float x, float*) { return x; }

__device__ inline std::uint16_t store_as(float x, std::uint16_t*) {
    const unsigned bits = __float_as_uint(x);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fc0;
    return static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

__device__ inline float dropped(float s, unsigned long long e, const Mask& m) {
    unsigned long long z = m.seed + (m.offset + e + 1ull) * 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    z = (z ^ (z >> 31)) >> 12;
    return z >= m.least ? s * m.factor : 0.0f;
}

template <class Out>
__global__ void columns(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                        DeviceMatrix<const TokenId> ids, unsigned long long start, Mask mask,
                        DeviceTensor3<Out> out) {
    const unsigned lane = threadIdx.x % 32;
    const unsigned long long channels = out.channels;
    const unsigned long long pieces = (channels + 127) / 128;
    const unsigned long long columns_of_warps = out.time * pieces;
    // gridDim.y shares the batch between several warps of one column
    for (unsigned long long w = (unsigned long long)blockIdx.x * warps_of_block + threadIdx.x / 32;
         w < columns_of_warps; w += (unsigned long long)gridDim.x * warps_of_block) {
        const unsigned long long t = w / pieces;
        const unsigned long long c0 = (w - t * pieces) * 128 + lane;
        const float* position = wpe.row(start + t);
        float pos[fetches];
        for (int k = 0; k < fetches; ++k) {
            const unsigned long long c = c0 + 32u * k;
            pos[k] = c < channels ? position[c] : 0.0f;
        }
        for (unsigned long long b = blockIdx.y; b < out.batch; b += gridDim.y) {
            const TokenId id = ids.row(b)[t];
            const bool known = id >= 0 && static_cast<unsigned long long>(id) < wte.rows;
            const float* token = known ? wte.row(static_cast<std::size_t>(id)) : nullptr;
            const unsigned long long e0 = (b * out.time + t) * channels;
            for (int k = 0; k < fetches; ++k) {
                const unsigned long long c = c0 + 32u * k;
                if (c < channels) {
                    float s = (known ? token[c] : __int_as_float(0x7fc00000)) + pos[k];
                    if (mask.on) s = dropped(s, e0 + c, mask);
                    out.data[e0 + c] = store_as(s, static_cast<Out*>(nullptr));
                }
            }
        }
    }
}

template <class Out>
Status launch(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
              std::size_t start, Dropout dropout, DeviceTensor3<Out> out, cudaStream_t stream) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return Status{Code::shape_mismatch};
    if (start > wpe.rows || ids.cols > wpe.rows - start) {
        const std::size_t p = start > wpe.rows ? start : wpe.rows;
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    if (!(dropout.p >= 0.0f && dropout.p <= 1.0f)) return Status{Code::invalid_argument};
    if (out.batch == 0 || out.time == 0 || out.channels == 0) return Status{};

    Mask mask{};
    mask.on = dropout.train && dropout.p > 0.0f;
    mask.seed = dropout.seed;
    mask.offset = dropout.offset;
    mask.factor = 1.0F / (1.0F - dropout.p);
    // (k + 0.5) * 2^-52 >= p  <=>  k >= p * 2^52 - 0.5; the product is exact, and so is the difference
    // wherever it is above 0
    const double bound = static_cast<double>(dropout.p) * 0x1p52 - 0.5;
    unsigned long long least = 0;
    if (bound > 0) {
        least = static_cast<unsigned long long>(bound);
        if (static_cast<double>(least) < bound) ++least;
    }
    mask.least = least;

    const unsigned long long work = out.time * ((out.channels + 127) / 128);
    unsigned long long blocks = (work + warps_of_block - 1) / warps_of_block;
    if (blocks > 512) blocks = 512;
    unsigned long long shares = 512 / blocks;
    if (shares > out.batch) shares = out.batch;
    columns<Out><<<dim3((unsigned)blocks, (unsigned)shares), 32 * warps_of_block, 0, stream>>>(
        wte, wpe, ids, start, mask, out);
    return Status{};
}

} // namespace

Status embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    return launch<float>(wte, wpe, ids, start, dropout, out, stream);
}

Status embed_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                  DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                  DeviceTensor3<std::uint16_t> out, cudaStream_t stream) {
    return launch<std::uint16_t>(wte, wpe, ids, start, dropout, out, stream);
}

} // namespace exercise

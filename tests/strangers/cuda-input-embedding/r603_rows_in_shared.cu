// right: a block stages the row pointers of 32 tokens in shared memory between two barriers, and its 8 warps then share the rows; the mask compares 2 k + 1 with ceil(p * 2^53) as whole numbers
#include "contract.h"

#include <algorithm>

namespace exercise {
namespace {

constexpr unsigned tile = 32;  // rows of a block at a time
constexpr unsigned warps = 8;  // of a block

struct Staged {
    const float* token;    // null: a row of NaN
    const float* position;
};

struct Rule {
    std::uint64_t base;  // seed + (offset + 1) * golden
    std::uint64_t twice; // survives if 2 k + 1 >= twice
    float factor;
    int on;
};

constexpr std::uint64_t golden = 0x9E3779B97F4A7C15ull;

__device__ __forceinline__ bool survives(const Rule& rule, std::uint64_t element) {
    std::uint64_t z = rule.base + element * golden;
    z ^= z >> 30;
    z *= 0xBF58476D1CE4E5B9ull;
    z ^= z >> 27;
    z *= 0x94D049BB133111EBull;
    z ^= z >> 31;
    return ((z >> 12) << 1 | 1u) >= rule.twice;
}

template <class Out>
__device__ Out last(float v);

template <>
__device__ __forceinline__ float last<float>(float v) {
    return v;
}

template <>
__device__ __forceinline__ std::uint16_t last<std::uint16_t>(float v) {
    if (v != v) return 0xFFC1;
    const unsigned bits = __float_as_uint(v), upper = bits >> 16, lower = bits & 0xFFFFu;
    const bool up = lower > 0x8000u || (lower == 0x8000u && (upper & 1u));
    return static_cast<std::uint16_t>(upper + (up ? 1u : 0u));
}

template <class Out>
__global__ void __launch_bounds__(32 * warps) tiles(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                                                    DeviceMatrix<const TokenId> ids, std::size_t start, Rule rule,
                                                    DeviceTensor3<Out> out) {
    __shared__ Staged staged[tile];
    const std::size_t rows = out.batch * out.time;
    const std::size_t channels = out.channels;
    for (std::size_t first = static_cast<std::size_t>(blockIdx.x) * tile; first < rows;
         first += static_cast<std::size_t>(gridDim.x) * tile) {
        if (threadIdx.x < tile && first + threadIdx.x < rows) {
            const std::size_t row = first + threadIdx.x, b = row / out.time, t = row - b * out.time;
            const long long id = ids(b, t);
            const bool inside = id >= 0 && static_cast<unsigned long long>(id) < wte.rows;
            staged[threadIdx.x].token = inside ? wte.data + static_cast<std::size_t>(id) * wte.stride : nullptr;
            staged[threadIdx.x].position = wpe.data + (start + t) * wpe.stride;
        }
        __syncthreads();
        for (unsigned r = threadIdx.x / 32; r < tile && first + r < rows; r += warps) {
            const Staged from = staged[r];
            const std::size_t begin = (first + r) * channels;
            for (std::size_t c = threadIdx.x % 32; c < channels; c += 32) {
                float v = (from.token != nullptr ? from.token[c] : __uint_as_float(0x7FFFFFFFu)) + from.position[c];
                if (rule.on) v = survives(rule, begin + c) ? v * rule.factor : 0.0F;
                out.data[begin + c] = last<Out>(v);
            }
        }
        __syncthreads();
    }
}

template <class Out>
Status any(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
           std::size_t start, Dropout dropout, DeviceTensor3<Out> out, cudaStream_t stream) {
    if (wpe.cols != wte.cols) return Status{Code::shape_mismatch};
    if (out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return Status{Code::shape_mismatch};
    std::size_t end = start + ids.cols;
    if (end < start || end > wpe.rows) { // end < start: it went round
        const std::size_t p = start > wpe.rows ? start : wpe.rows;
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    const bool probability = dropout.p >= 0.0F && dropout.p <= 1.0F;
    if (!probability) return Status{Code::invalid_argument};
    const std::size_t rows = ids.rows * ids.cols;
    if (rows == 0 || wte.cols == 0) return Status{};

    Rule rule{};
    rule.base = dropout.seed + (dropout.offset + 1) * golden;
    const double doubled = static_cast<double>(dropout.p) * 9007199254740992.0; // 2^53, exact
    rule.twice = static_cast<std::uint64_t>(doubled);
    if (static_cast<double>(rule.twice) < doubled) ++rule.twice;
    rule.factor = 1.0F / (1.0F - dropout.p);
    rule.on = dropout.train ? 1 : 0;
    const dim3 grid(static_cast<unsigned>(std::min<std::size_t>((rows + tile - 1) / tile, 30000)));
    tiles<Out><<<grid, dim3(32 * warps), 0, stream>>>(wte, wpe, ids, start, rule, out);
    return Status{};
}

} // namespace

Status embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    return any<float>(wte, wpe, ids, start, dropout, out, stream);
}

Status embed_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                  DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                  DeviceTensor3<std::uint16_t> out, cudaStream_t stream) {
    return any<std::uint16_t>(wte, wpe, ids, start, dropout, out, stream);
}

} // namespace exercise

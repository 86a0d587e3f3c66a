// right: position-major; a warp keeps 128 position values in registers and adds them to the token rows of up to 16 sequences
#include "contract.h"

#include <algorithm>
#include <type_traits>

namespace exercise {
namespace {

constexpr int values = 4; // of a lane
constexpr std::size_t slab = 32 * values;
constexpr std::size_t sequences = 16; // of a job
constexpr unsigned threads = 128;

struct Job {
    DeviceMatrix<const float> wte, wpe;
    DeviceMatrix<const TokenId> ids;
    std::size_t start;
    std::uint64_t seed, offset;
    double p;
    float factor;
    bool drops;
};

__device__ __forceinline__ double uniform(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * (1.0 / 4503599627370496.0);
}

template <class Out>
__device__ __forceinline__ Out narrowed(float v) {
    if constexpr (std::is_same_v<Out, float>) {
        return v;
    } else {
        const unsigned bits = __float_as_uint(v);
        if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return static_cast<Out>(0x7FC0);
        return static_cast<Out>((bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16);
    }
}

template <class Out>
__global__ void position_major(Job job, DeviceTensor3<Out> out) {
    const std::size_t channels = out.channels;
    const std::size_t slabs = (channels + slab - 1) / slab;
    const std::size_t groups = (out.batch + sequences - 1) / sequences;
    const std::size_t jobs = groups * out.time * slabs;
    const std::size_t warps = static_cast<std::size_t>(gridDim.x) * (blockDim.x / 32);
    const unsigned lane = threadIdx.x % 32;
    for (std::size_t n = static_cast<std::size_t>(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32; n < jobs;
         n += warps) {
        const std::size_t first = n % slabs * slab + lane;
        const std::size_t t = n / slabs % out.time;
        const std::size_t b0 = n / slabs / out.time * sequences;
        const std::size_t b1 = b0 + sequences < out.batch ? b0 + sequences : out.batch;
        const float* const place = job.wpe.row(job.start + t);
        float position[values];
#pragma unroll
        for (int j = 0; j < values; ++j)
            position[j] = first + 32 * j < channels ? place[first + 32 * j] : 0.0F;
        for (std::size_t b = b0; b < b1; ++b) {
            const TokenId id = job.ids(b, t);
            const bool known = id >= 0 && static_cast<std::size_t>(id) < job.wte.rows;
            const float* const token = known ? job.wte.row(static_cast<std::size_t>(id)) : nullptr;
            Out* const to = out.row(b, t);
            const std::uint64_t number = job.offset + (b * out.time + t) * channels;
#pragma unroll
            for (int j = 0; j < values; ++j) {
                const std::size_t c = first + 32 * j;
                if (c >= channels) continue;
                float v = (known ? token[c] : __int_as_float(0x7FC00000)) + position[j];
                if (job.drops) v = uniform(job.seed, number + c) >= job.p ? v * job.factor : 0.0F;
                to[c] = narrowed<Out>(v);
            }
        }
    }
}

template <class Out>
Status run(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
           std::size_t start, Dropout dropout, DeviceTensor3<Out> out, cudaStream_t stream) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return Status{Code::shape_mismatch};
    if (start > wpe.rows || ids.cols > wpe.rows - start) {
        const std::size_t p = std::max(start, wpe.rows);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    if (!(dropout.p >= 0 && dropout.p <= 1)) return Status{Code::invalid_argument};
    if (out.batch == 0 || out.time == 0 || out.channels == 0) return Status{};

    const Job job{wte, wpe, ids, start, dropout.seed, dropout.offset, static_cast<double>(dropout.p),
                  1.0F / (1.0F - dropout.p), dropout.train && dropout.p > 0};
    const std::size_t jobs =
        (out.batch + sequences - 1) / sequences * out.time * ((out.channels + slab - 1) / slab);
    const std::size_t blocks = (jobs + threads / 32 - 1) / (threads / 32);
    const auto grid = static_cast<unsigned>(std::min<std::size_t>(blocks, 8192));
    position_major<Out><<<grid, threads, 0, stream>>>(job, out);
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

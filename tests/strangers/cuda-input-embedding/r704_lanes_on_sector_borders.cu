// right: cooperative groups; the lanes of a row are shifted so that each store of the warp begins on a border of 32 bytes of out, the generator's state moves on by addition, and bfloat16 is rounded by hand
#include "contract.h"

#include <cooperative_groups.h>

namespace exercise {
namespace {

namespace cg = cooperative_groups;

constexpr std::uint64_t golden = 0x9E3779B97F4A7C15u;

struct AsFloat {
    using type = float;
    static __device__ float convert(float x) { return x; }
};

struct AsBf16 {
    using type = std::uint16_t;
    static __device__ std::uint16_t convert(float x) {
        const unsigned bits = __float_as_uint(x);
        if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fc0; // a NaN stays one
        const unsigned odd = bits >> 16 & 1;
        return static_cast<std::uint16_t>((bits + 0x7fffu + odd) >> 16);
    }
};

struct Work {
    DeviceMatrix<const float> wte;
    DeviceMatrix<const float> wpe;
    DeviceMatrix<const TokenId> ids;
    std::size_t start = 0;
    std::uint64_t seed = 0;
    std::uint64_t offset = 0;
    double scaled_p = 0; // p * 2^52, which is exact; 0: no mask
    float factor = 1;
};

template <class As>
__global__ void embed_shifted(Work w, DeviceTensor3<typename As::type> out) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const std::size_t per_block = blockDim.x / 32;
    const long long C = static_cast<long long>(out.channels);
    const std::size_t rows = out.batch * out.time;
    for (std::size_t row = blockIdx.x * per_block + threadIdx.x / 32; row < rows; row += gridDim.x * per_block) {
        const std::size_t b = row / out.time, t = row % out.time;
        TokenId id = 0;
        if (warp.thread_rank() == 0) id = w.ids(b, t);
        id = warp.shfl(id, 0);
        const bool good = id >= 0 && static_cast<std::size_t>(id) < w.wte.rows;
        const float* token = good ? w.wte.row(static_cast<std::size_t>(id)) : nullptr;
        const float* position = w.wpe.row(w.start + t);
        auto* to = out.row(b, t);
        const int shift = static_cast<int>(reinterpret_cast<std::uintptr_t>(to) % 32 / sizeof *to);
        long long c = static_cast<long long>(warp.thread_rank()) - shift;
        const std::uint64_t e = static_cast<std::uint64_t>(row) * out.channels + static_cast<std::uint64_t>(c);
        std::uint64_t state = w.seed + (w.offset + e + 1) * golden; // wraps around, also for c below 0
        for (; c < C; c += 32, state += 32 * golden) {
            if (c < 0) continue;
            float x = __int_as_float(0x7fc00000);
            if (good) x = token[c] + position[c];
            if (w.scaled_p > 0) {
                std::uint64_t z = state;
                z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
                z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
                z ^= z >> 31;
                if (static_cast<double>(z >> 12) + 0.5 >= w.scaled_p)
                    x *= w.factor;
                else
                    x = 0.0F;
            }
            to[c] = As::convert(x);
        }
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

template <class As>
Status run(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
           std::size_t start, const Dropout& dropout, DeviceTensor3<typename As::type> out, cudaStream_t stream) {
    const Status status = check(wte, wpe, ids, start, dropout, out.batch, out.time, out.channels);
    if (status.code != Code::ok) return status;
    const std::size_t rows = out.channels == 0 ? 0 : out.batch * out.time;
    if (rows == 0) return status;
    Work w;
    w.wte = wte;
    w.wpe = wpe;
    w.ids = ids;
    w.start = start;
    w.seed = dropout.seed;
    w.offset = dropout.offset;
    if (dropout.train) {
        w.scaled_p = static_cast<double>(dropout.p) * 0x1p52;
        w.factor = 1.0F / (1.0F - dropout.p);
    }
    const unsigned blocks = static_cast<unsigned>(rows < 400000 ? (rows + 3) / 4 : 100000);
    embed_shifted<As><<<blocks, 128, 0, stream>>>(w, out);
    return status;
}

} // namespace

Status embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    return run<AsFloat>(wte, wpe, ids, start, dropout, out, stream);
}

Status embed_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                  DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                  DeviceTensor3<std::uint16_t> out, cudaStream_t stream) {
    return run<AsBf16>(wte, wpe, ids, start, dropout, out, stream);
}

} // namespace exercise

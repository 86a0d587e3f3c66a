// right: the output is one list, cut into pieces of 1,024 elements at sector borders whatever the rows are; each lane carries its row, channel and state of the generator along, and compares whole numbers
#include "contract.h"

#include <algorithm>
#include <cmath>

namespace exercise {
namespace {

/// The arguments of a call as its kernel needs them.
struct Job {
    DeviceMatrix<const float> wte, wpe;
    DeviceMatrix<const TokenId> ids;
    std::size_t start;
    std::uint64_t limit; // what has fewer than that many of 2^-52 is dropped
    float factor;        // of what survives
    std::uint64_t seed, offset;
};

constexpr std::uint64_t weyl_step = 0x9E3779B97F4A7C15u;

/// The 52 bits behind a random number, from its place in the sequence.
__device__ std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (z ^ (z >> 31)) >> 12;
}

__device__ void store(float* to, float value) {
    *to = value;
}

/// To the nearest bfloat16, ties to the even one.
__device__ void store(std::uint16_t* to, float value) {
    const unsigned bits = __float_as_uint(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) *to = 0x7fc0;
    else *to = static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}

constexpr std::size_t piece = 1024; // elements of a warp

/// Values are taken 32 apart by each lane. Pieces begin `shift` elements early, so that they begin a sector.
template <bool drops, class Out>
__global__ void embed_pieces(Job job, DeviceTensor3<Out> out, std::size_t shift) {
    const std::size_t C = out.channels, T = out.time, count = out.batch * T * C;
    const unsigned lane = threadIdx.x % 32;
    const std::size_t warps = std::size_t{gridDim.x} * blockDim.x / 32;
    const std::size_t warp = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
    for (std::size_t base = warp * piece; base < count + shift; base += warps * piece) {
        std::size_t e = base + lane;
        if (e < shift) e += 32; // before the first element; shift < 32
        e -= shift;
        const std::size_t end = min(count, base + piece - shift);
        std::size_t row = e / C, c = e % C;
        std::uint64_t state = job.seed + (job.offset + e + 1) * weyl_step;
        const float *token = nullptr, *position = nullptr;
        bool known = false, entered = true; // a row that this lane has not been in
        for (; e < end; e += 32) {
            if (entered) {
                const std::size_t b = row / T, t = row % T;
                const TokenId id = job.ids(b, t);
                known = id >= 0 && static_cast<std::size_t>(id) < job.wte.rows;
                if (known) token = job.wte.row(id);
                position = job.wpe.row(job.start + t);
            }
            float value = (known ? token[c] : nanf("")) + position[c];
            if (drops) value = mixed(state) >= job.limit ? value * job.factor : 0.0f;
            store(out.data + e, value);
            state += 32 * weyl_step;
            c += 32;
            entered = c >= C;
            if (entered) {
                row += c / C;
                c %= C;
            }
        }
    }
}

template <class Out>
Status run(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids, std::size_t start,
           Dropout dropout, DeviceTensor3<Out> out, cudaStream_t stream) {
    const std::size_t P = wpe.rows, B = ids.rows, T = ids.cols, C = wte.cols;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C) return Status{Code::shape_mismatch};
    if (start > P || T > P - start) {
        const std::size_t p = std::max(start, P);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    if (!(dropout.p >= 0.0f && dropout.p <= 1.0f)) return Status{Code::invalid_argument};
    if (B == 0 || T == 0 || C == 0) return Status{};
    // (k + 0.5) * 2^-52 >= p where k >= p * 2^52 - 0.5; both steps are exact where it matters.
    const auto limit = static_cast<std::uint64_t>(std::max(0.0, std::ceil(dropout.p * 0x1p52 - 0.5)));
    const Job job{wte, wpe, ids, start, limit, 1.0F / (1.0F - dropout.p), dropout.seed, dropout.offset};
    const std::size_t sector = 32 / sizeof(Out);
    const std::size_t shift = reinterpret_cast<std::uintptr_t>(out.data) / sizeof(Out) % sector;
    const std::size_t pieces = (B * T * C + shift + piece - 1) / piece;
    const unsigned grid = static_cast<unsigned>(std::min<std::size_t>((pieces + 7) / 8, 4096));
    if (dropout.train && dropout.p > 0.0f) embed_pieces<true, Out><<<grid, 256, 0, stream>>>(job, out, shift);
    else embed_pieces<false, Out><<<grid, 256, 0, stream>>>(job, out, shift);
    return Status{};
}

} // namespace

Status embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    return run(wte, wpe, ids, start, dropout, out, stream);
}

Status embed_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
                  std::size_t start, Dropout dropout, DeviceTensor3<std::uint16_t> out, cudaStream_t stream) {
    return run(wte, wpe, ids, start, dropout, out, stream);
}

} // namespace exercise

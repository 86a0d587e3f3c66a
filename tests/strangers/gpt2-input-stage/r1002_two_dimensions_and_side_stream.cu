// right: blocks of two dimensions, backward in two launches and from the last sequence to the first, the head with all lanes of a warp exchanging (xor) and sums in double, and in save and load the second table on a stream of the call's own, joined by events
#include "contract.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

namespace exercise {

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

// ---- what is random -----------------------------------------------------------------------------

__device__ double uniform(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
}

__device__ bool dropped(const Dropout& d, std::uint64_t e) {
    return d.train && uniform(d.seed, d.offset + e) < static_cast<double>(d.p);
}

__device__ bool known(TokenId id, std::size_t V) {
    return static_cast<long long>(id) >= 0 && static_cast<unsigned long long>(id) < V;
}

// ---- kernels: x goes along the channels, y along the positions or rows --------------------------

constexpr unsigned along = 64, across = 4;

dim3 grid(std::size_t channels, std::size_t rows) {
    return dim3(static_cast<unsigned>(std::min<std::size_t>((channels + along - 1) / along, 1'024)),
                static_cast<unsigned>(std::min<std::size_t>((rows + across - 1) / across, 1'024)));
}

template <class Work>
__device__ void for_each(std::size_t rows, std::size_t channels, Work work) {
    const std::size_t row_step = static_cast<std::size_t>(gridDim.y) * across;
    const std::size_t channel_step = static_cast<std::size_t>(gridDim.x) * along;
    for (std::size_t r = static_cast<std::size_t>(blockIdx.y) * across + threadIdx.y; r < rows; r += row_step) {
        for (std::size_t c = static_cast<std::size_t>(blockIdx.x) * along + threadIdx.x; c < channels;
             c += channel_step) {
            work(r, c);
        }
    }
}

__global__ void look_up(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                        DeviceMatrix<const TokenId> ids, std::size_t start, Dropout d, float scale,
                        DeviceTensor3<float> out) {
    for_each(out.time, out.channels, [&](std::size_t t, std::size_t c) {
        const float position = wpe(start + t, c);
        for (std::size_t b = out.batch; b-- > 0;) {
            const std::size_t e = (b * out.time + t) * out.channels + c;
            if (dropped(d, e)) {
                out(b, t, c) = 0.0F;
            } else {
                const TokenId id = ids(b, t);
                float sum = not_a_number;
                if (known(id, wte.rows)) sum = wte(static_cast<std::size_t>(id), c) + position;
                out(b, t, c) = d.train ? sum * scale : sum;
            }
        }
    });
}

__global__ void add_up(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, std::size_t start,
                       Dropout d, float scale, DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe,
                       std::size_t first, std::size_t end) {
    for_each(end - first, dout.channels, [&](std::size_t r, std::size_t c) {
        const std::size_t t = first + r;
        double owed = 0;
        for (std::size_t b = dout.batch; b-- > 0;) {
            const std::size_t e = (b * dout.time + t) * dout.channels + c;
            if (dropped(d, e)) continue;
            const float g = d.train ? dout(b, t, c) * scale : dout(b, t, c);
            owed += static_cast<double>(g);
            const TokenId id = ids(b, t);
            if (known(id, dwte.rows)) atomicAdd(&dwte(static_cast<std::size_t>(id), c), g);
        }
        dwpe(start + t, c) = static_cast<float>(static_cast<double>(dwpe(start + t, c)) + owed);
    });
}

constexpr unsigned lanes = 32;
constexpr unsigned rows_of_a_warp = 4, vectors_of_a_warp = 8;

// x is the lane, y the warp.
__global__ void score(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                      DeviceMatrix<float> logits) {
    const std::size_t V = wte.rows, C = wte.cols, B = hidden.batch;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.y * rows_of_a_warp;
    for (std::size_t v = (static_cast<std::size_t>(blockIdx.x) * blockDim.y + threadIdx.y) * rows_of_a_warp;
         v < V; v += step) {
        for (std::size_t b0 = 0; b0 < B; b0 += vectors_of_a_warp) {
            double sum[vectors_of_a_warp][rows_of_a_warp] = {};
            for (std::size_t c = threadIdx.x; c < C; c += lanes) {
                double w[rows_of_a_warp];
                for (unsigned r = 0; r < rows_of_a_warp; ++r) w[r] = v + r < V ? wte(v + r, c) : 0.0F;
                for (unsigned k = 0; k < vectors_of_a_warp; ++k) {
                    if (b0 + k >= B) break;
                    const double h = hidden(b0 + k, hidden.time - 1, c);
                    for (unsigned r = 0; r < rows_of_a_warp; ++r) sum[k][r] += w[r] * h;
                }
            }
            for (unsigned k = 0; k < vectors_of_a_warp; ++k) {
                if (b0 + k >= B) break; // so for all lanes
                double mine = 0;
                for (unsigned r = 0; r < rows_of_a_warp; ++r) {
                    double s = sum[k][r];
                    for (int d = 1; d < 32; d *= 2) s += __shfl_xor_sync(0xFFFFFFFFU, s, d);
                    if (threadIdx.x == r) mine = s; // all lanes have it
                }
                if (threadIdx.x < rows_of_a_warp && v + threadIdx.x < V) {
                    logits(b0 + k, v + threadIdx.x) = static_cast<float>(mine);
                }
            }
        }
    }
}

__global__ void copy(DeviceMatrix<const float> from, DeviceMatrix<float> to) {
    for_each(from.rows, from.cols, [&](std::size_t r, std::size_t c) { to(r, c) = from(r, c); });
}

void launch_copy(DeviceMatrix<const float> from, DeviceMatrix<float> to, cudaStream_t stream) {
    if (from.rows == 0 || from.cols == 0) return;
    copy<<<grid(from.cols, from.rows), dim3(along, across), 0, stream>>>(from, to);
}

// Two copies side by side: the second one on a stream that waits for `stream`, and `stream` for it.
void copy_both(DeviceMatrix<const float> from0, DeviceMatrix<float> to0, DeviceMatrix<const float> from1,
               DeviceMatrix<float> to1, cudaStream_t stream) {
    const auto empty = [](const auto& m) { return m.rows == 0 || m.cols == 0; };
    if (empty(from0) || empty(from1)) {
        launch_copy(from0, to0, stream);
        launch_copy(from1, to1, stream);
        return;
    }
    cudaStream_t side;
    cudaEvent_t ready, done;
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    cudaEventRecord(ready, stream);
    cudaStreamWaitEvent(side, ready, 0);
    launch_copy(from1, to1, side);
    cudaEventRecord(done, side);
    launch_copy(from0, to0, stream);
    cudaStreamWaitEvent(stream, done, 0);
    cudaEventDestroy(ready); // what is under way goes on
    cudaEventDestroy(done);
    cudaStreamDestroy(side);
}

// ---- the header ---------------------------------------------------------------------------------

template <class Number>
std::size_t append(std::span<std::uint8_t> header, std::size_t at, Number number) {
    for (std::size_t i = 0; i < sizeof(Number); ++i, number = static_cast<Number>(number / 256)) {
        header[at++] = static_cast<std::uint8_t>(number % 256);
    }
    return at;
}

template <class Number>
Number take(std::span<const std::uint8_t>& rest) {
    Number number = 0;
    for (std::size_t i = sizeof(Number); i-- > 0;) number = static_cast<Number>(number * 256 + rest[i]);
    rest = rest.subspan(sizeof(Number));
    return number;
}

bool in_unit_interval(float p) {
    return !(p < 0) && p <= 1;
}

Status positions_and_p(std::size_t start, std::size_t T, std::size_t P, float p) {
    const bool fits = start <= P && T <= P - start;
    if (!fits) {
        const std::size_t bad = start > P ? start : P;
        return Status{Code::position_out_of_range, bad - start, static_cast<std::int64_t>(bad),
                      static_cast<std::int64_t>(P)};
    }
    return in_unit_interval(p) ? Status{} : Status{Code::invalid_argument};
}

} // namespace

ParameterReport parameters(ModelSizes sizes) {
    const auto [V, P, C, L] = sizes;
    const std::size_t block = C * (12 * C + 13);
    return {V * C, P * C, block, C + C, (V + P + 2) * C + L * block};
}

Status forward(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
               std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    const std::array<std::size_t, 4> have{wpe.cols, out.batch, out.time, out.channels};
    if (have != std::array<std::size_t, 4>{wte.cols, ids.rows, ids.cols, wte.cols}) {
        return {Code::shape_mismatch};
    }
    const Status status = positions_and_p(start, ids.cols, wpe.rows, dropout.p);
    if (status.code == Code::ok && std::min({out.batch, out.time, out.channels}) > 0) {
        look_up<<<grid(out.channels, out.time), dim3(along, across), 0, stream>>>(
            wte, wpe, ids, start, dropout, 1.0F / (1.0F - dropout.p), out);
    }
    return status;
}

Status backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, std::size_t start,
                Dropout dropout, DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, cudaStream_t stream) {
    const std::array<std::size_t, 4> have{dwpe.cols, dout.batch, dout.time, dout.channels};
    if (have != std::array<std::size_t, 4>{dwte.cols, ids.rows, ids.cols, dwte.cols}) {
        return {Code::shape_mismatch};
    }
    const Status status = positions_and_p(start, ids.cols, dwpe.rows, dropout.p);
    if (status.code == Code::ok && std::min({dout.batch, dout.time, dout.channels}) > 0) {
        const float scale = 1.0F / (1.0F - dropout.p);
        const std::size_t middle = dout.time / 2; // the later positions first
        add_up<<<grid(dout.channels, dout.time - middle), dim3(along, across), 0, stream>>>(
            dout, ids, start, dropout, scale, dwte, dwpe, middle, dout.time);
        if (middle > 0) {
            add_up<<<grid(dout.channels, middle), dim3(along, across), 0, stream>>>(
                dout, ids, start, dropout, scale, dwte, dwpe, 0, middle);
        }
    }
    return status;
}

Status last_logits(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                   DeviceMatrix<float> logits, cudaStream_t stream) {
    if (hidden.channels != wte.cols || hidden.batch != logits.rows || logits.cols != wte.rows) {
        return {Code::shape_mismatch};
    }
    if (hidden.time == 0) return {Code::invalid_argument};
    if (logits.rows > 0 && logits.cols > 0) {
        const std::size_t blocks = (wte.rows + 8 * rows_of_a_warp - 1) / (8 * rows_of_a_warp);
        score<<<static_cast<unsigned>(std::min<std::size_t>(blocks, 1'000'000)), dim3(lanes, 8), 0, stream>>>(
            hidden, wte, logits);
    }
    return {};
}

Status save(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, Dropout dropout,
            std::span<std::uint8_t> header, DeviceSpan<float> parameters, cudaStream_t stream) {
    const std::size_t C = wte.cols, split = wte.rows * C, total = split + wpe.rows * C;
    if (wpe.cols != C || header.size() != 64 || parameters.size() != total) return {Code::shape_mismatch};
    if (!in_unit_interval(dropout.p)) return {Code::invalid_argument};
    std::size_t at = 0;
    for (const char letter : {'G', 'P', 'T', '2', 'I', 'N', '0', '1'}) {
        header[at++] = static_cast<std::uint8_t>(letter);
    }
    at = append<std::uint64_t>(header, at, wte.rows);
    at = append<std::uint64_t>(header, at, wpe.rows);
    at = append<std::uint64_t>(header, at, C);
    at = append<std::uint32_t>(header, at, std::bit_cast<std::uint32_t>(dropout.p));
    at = append<std::uint32_t>(header, at, dropout.train);
    at = append<std::uint64_t>(header, at, dropout.seed);
    at = append<std::uint64_t>(header, at, dropout.offset);
    append<std::uint64_t>(header, at, total);
    copy_both(wte, {parameters.data(), wte.rows, C, C}, wpe, {parameters.data() + split, wpe.rows, C, C}, stream);
    return {};
}

HeaderResult read_header(std::span<const std::uint8_t> header) {
    HeaderResult refused;
    refused.status.code = Code::invalid_argument;
    if (header.size() != 64) return refused;
    if (take<std::uint64_t>(header) != 0x31304E4932545047ULL) return refused; // 10NI2TPG
    StageState state;
    state.vocabulary = take<std::uint64_t>(header);
    state.positions = take<std::uint64_t>(header);
    state.channels = take<std::uint64_t>(header);
    state.dropout.p = std::bit_cast<float>(take<std::uint32_t>(header));
    const auto train = take<std::uint32_t>(header);
    state.dropout.train = train == 1;
    state.dropout.seed = take<std::uint64_t>(header);
    state.dropout.offset = take<std::uint64_t>(header);
    const auto total = take<std::uint64_t>(header);
    const std::size_t largest = std::max({state.vocabulary, state.positions, state.channels});
    const bool good = largest < std::size_t{1} << 31 && in_unit_interval(state.dropout.p) && train <= 1 &&
                      total == state.vocabulary * state.channels + state.positions * state.channels;
    if (!good) return refused;
    return {Status{}, state};
}

Status load(DeviceSpan<const float> parameters, DeviceMatrix<float> wte, DeviceMatrix<float> wpe,
            cudaStream_t stream) {
    const std::size_t C = wte.cols, split = wte.rows * C;
    if (wpe.cols != C || parameters.size() != split + wpe.rows * C) return {Code::shape_mismatch};
    copy_both({parameters.data(), wte.rows, C, C}, wte, {parameters.data() + split, wpe.rows, C, C}, wpe, stream);
    return {};
}

} // namespace exercise

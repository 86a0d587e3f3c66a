// right: backward gives each thread one channel of both gradients for the whole batch, so it needs no atomics; the head sums by a butterfly
#include "contract.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace exercise {
namespace {

constexpr unsigned threads = 256;
constexpr unsigned per_thread = 4; // channels that one thread keeps in registers

unsigned grid_for(std::size_t items) {
    return static_cast<unsigned>(std::min<std::size_t>(items, std::size_t{1} << 20));
}

// As many threads as there are channels, in whole warps.
unsigned block_for(std::size_t channels) {
    return static_cast<unsigned>(std::min<std::size_t>((channels + 31) / 32 * 32, threads));
}

struct Mask {
    bool train;
    float p, factor;
    std::uint64_t seed, offset;

    __device__ bool survives(std::uint64_t element) const {
        if (!train) return true;
        std::uint64_t z = seed + (offset + element + 1) * 0x9E3779B97F4A7C15u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        z = z ^ (z >> 31);
        return (static_cast<double>(z >> 12) + 0.5) * 0x1p-52 >= static_cast<double>(p);
    }
};

Mask mask_of(Dropout d) {
    return {d.train, d.p, d.train ? 1.0F / (1.0F - d.p) : 1.0F, d.seed, d.offset};
}

bool bad_p(float p) { return !(p >= 0.0F && p <= 1.0F); }

__device__ bool has_row(TokenId id, std::size_t vocabulary) {
    return id >= 0 && static_cast<std::size_t>(id) < vocabulary;
}

Status check(std::size_t start, std::size_t T, std::size_t P, float p) {
    if (start > P || T > P - start) {
        const std::size_t first = std::max(start, P);
        return Status::position_out_of_range(first - start, static_cast<std::int64_t>(first), P);
    }
    if (bad_p(p)) return {Code::invalid_argument};
    return {};
}

// A block has one position t and up to blockDim.x * per_thread channels, for all sequences.
__global__ void forward_kernel(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                               DeviceMatrix<const TokenId> ids, std::size_t start, Mask mask,
                               DeviceTensor3<float> out, std::size_t chunks) {
    const std::size_t C = out.channels, T = out.time;
    for (std::size_t item = blockIdx.x; item < T * chunks; item += gridDim.x) {
        const std::size_t t = item / chunks;
        const std::size_t c0 = (item % chunks) * blockDim.x * per_thread + threadIdx.x;
        float position[per_thread];
        for (unsigned i = 0; i < per_thread; ++i) {
            const std::size_t c = c0 + std::size_t{i} * blockDim.x;
            position[i] = c < C ? wpe(start + t, c) : 0.0F;
        }
        for (std::size_t b = 0; b < out.batch; ++b) {
            if (c0 >= C) continue;
            const TokenId id = ids(b, t);
            const bool known = has_row(id, wte.rows);
            for (unsigned i = 0; i < per_thread; ++i) {
                const std::size_t c = c0 + std::size_t{i} * blockDim.x;
                if (c >= C) continue;
                float value = 0.0F;
                if (mask.survives((b * T + t) * C + c)) {
                    const float token = known ? wte(static_cast<std::size_t>(id), c) : nanf("");
                    value = token + position[i];
                    if (mask.train) value *= mask.factor;
                }
                out(b, t, c) = value;
            }
        }
    }
}

// A thread owns one channel of both gradients and walks over the whole batch: no two threads ever meet, so a
// plain += is enough, and the order is always the same.
__global__ void backward_kernel(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                                std::size_t start, Mask mask, DeviceMatrix<float> dwte,
                                DeviceMatrix<float> dwpe) {
    const std::size_t C = dout.channels, T = dout.time;
    for (std::size_t c = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; c < C;
         c += std::size_t{gridDim.x} * blockDim.x) {
        for (std::size_t t = T; t-- > 0;) {
            double sum = dwpe(start + t, c);
            bool any = false;
            for (std::size_t b = dout.batch; b-- > 0;) {
                if (!mask.survives((b * T + t) * C + c)) continue;
                float g = dout(b, t, c);
                if (mask.train) g *= mask.factor;
                any = true;
                sum += static_cast<double>(g);
                const TokenId id = ids(b, t);
                if (!has_row(id, dwte.rows)) continue;
                float& sink = dwte(static_cast<std::size_t>(id), c);
                sink = static_cast<float>(static_cast<double>(sink) + static_cast<double>(g));
            }
            if (any) dwpe(start + t, c) = static_cast<float>(sum);
        }
    }
}

constexpr unsigned tile = 8; // a warp has 8 tokens and 8 sequences at a time

__global__ void logits_kernel(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                              DeviceMatrix<float> logits) {
    const unsigned lane = threadIdx.x % 32;
    const std::size_t V = wte.rows, C = wte.cols, B = hidden.batch;
    const std::size_t warps = std::size_t{gridDim.x} * (blockDim.x / 32);
    const std::size_t warp = std::size_t{blockIdx.x} * (blockDim.x / 32) + threadIdx.x / 32;
    for (std::size_t v0 = warp * tile; v0 < V; v0 += warps * tile) {
        for (std::size_t b0 = 0; b0 < B; b0 += tile) {
            float sum[tile][tile] = {};
            for (std::size_t c = lane; c < C; c += 32) {
                float h[tile];
#pragma unroll
                for (unsigned j = 0; j < tile; ++j)
                    h[j] = b0 + j < B ? hidden(b0 + j, hidden.time - 1, c) : 0.0F;
#pragma unroll
                for (unsigned i = 0; i < tile; ++i) {
                    if (v0 + i >= V) continue;
                    const float w = wte(v0 + i, c);
#pragma unroll
                    for (unsigned j = 0; j < tile; ++j)
                        if (b0 + j < B) sum[i][j] += w * h[j];
                }
            }
#pragma unroll
            for (unsigned i = 0; i < tile; ++i) {
#pragma unroll
                for (unsigned j = 0; j < tile; ++j) {
                    if (v0 + i >= V || b0 + j >= B) continue; // the same for the whole warp
                    float s = sum[i][j];
                    for (unsigned d = 1; d < 32; d *= 2) s += __shfl_xor_sync(0xFFFFFFFFu, s, d);
                    if (lane == 0) logits(b0 + j, v0 + i) = s;
                }
            }
        }
    }
}

__global__ void copy_kernel(const float* from, std::size_t from_stride, float* to, std::size_t to_stride,
                            std::size_t rows, std::size_t cols) {
    for (std::size_t r = blockIdx.x; r < rows; r += gridDim.x)
        for (std::size_t c = threadIdx.x; c < cols; c += blockDim.x)
            to[r * to_stride + c] = from[r * from_stride + c];
}

void copy_rows(const float* from, std::size_t from_stride, float* to, std::size_t to_stride, std::size_t rows,
               std::size_t cols, cudaStream_t stream) {
    if (rows == 0 || cols == 0) return;
    copy_kernel<<<grid_for(rows), block_for(cols), 0, stream>>>(from, from_stride, to, to_stride, rows, cols);
}

void put(std::uint8_t* to, std::uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) to[i] = static_cast<std::uint8_t>(value >> (8 * i));
}

std::uint64_t get(const std::uint8_t* from, unsigned bytes) {
    std::uint64_t value = 0;
    for (unsigned i = bytes; i-- > 0;) value = value << 8 | from[i];
    return value;
}

constexpr char letters[] = "GPT2IN01";

} // namespace

ParameterReport parameters(ModelSizes sizes) {
    const std::size_t C = sizes.channels;
    ParameterReport report;
    report.token_table = sizes.vocabulary * C;
    report.position_table = sizes.positions * C;
    report.block = 12 * C * C + 13 * C;
    report.final_norm = 2 * C;
    report.total = report.token_table + report.position_table + sizes.layers * report.block + report.final_norm;
    return report;
}

Status forward(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
               std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    if (wte.cols != out.channels || wpe.cols != out.channels || ids.rows != out.batch || ids.cols != out.time)
        return {Code::shape_mismatch};
    if (const Status s = check(start, out.time, wpe.rows, dropout.p); s.code != Code::ok) return s;
    if (out.batch == 0 || out.time == 0 || out.channels == 0) return {};
    const unsigned block = block_for((out.channels + per_thread - 1) / per_thread);
    const std::size_t chunks = (out.channels - 1) / (std::size_t{block} * per_thread) + 1;
    forward_kernel<<<grid_for(out.time * chunks), block, 0, stream>>>(wte, wpe, ids, start, mask_of(dropout),
                                                                      out, chunks);
    return {};
}

Status backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, std::size_t start,
                Dropout dropout, DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, cudaStream_t stream) {
    if (dwte.cols != dout.channels || dwpe.cols != dout.channels || ids.rows != dout.batch ||
        ids.cols != dout.time)
        return {Code::shape_mismatch};
    if (const Status s = check(start, dout.time, dwpe.rows, dropout.p); s.code != Code::ok) return s;
    if (dout.batch == 0 || dout.time == 0 || dout.channels == 0) return {};
    backward_kernel<<<grid_for((dout.channels - 1) / 32 + 1), 32, 0, stream>>>(dout, ids, start, mask_of(dropout),
                                                                               dwte, dwpe);
    return {};
}

Status last_logits(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                   DeviceMatrix<float> logits, cudaStream_t stream) {
    if (hidden.batch != logits.rows || wte.rows != logits.cols || hidden.channels != wte.cols)
        return {Code::shape_mismatch};
    if (hidden.time == 0) return {Code::invalid_argument};
    if (logits.rows == 0 || logits.cols == 0) return {};
    const std::size_t groups = (wte.rows - 1) / (tile * 4) + 1; // four warps a block
    logits_kernel<<<grid_for(groups), 128, 0, stream>>>(hidden, wte, logits);
    return {};
}

Status save(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, Dropout dropout,
            std::span<std::uint8_t> header, DeviceSpan<float> parameters, cudaStream_t stream) {
    const std::size_t C = wte.cols, count = wte.rows * C + wpe.rows * C;
    if (wpe.cols != C || header.size() != 64 || parameters.size() != count) return {Code::shape_mismatch};
    if (bad_p(dropout.p)) return {Code::invalid_argument};
    std::uint8_t* h = header.data();
    for (unsigned i = 0; i < 8; ++i) h[i] = static_cast<std::uint8_t>(letters[i]);
    put(h + 8, wte.rows, 8);
    put(h + 16, wpe.rows, 8);
    put(h + 24, C, 8);
    put(h + 32, std::bit_cast<std::uint32_t>(dropout.p), 4);
    put(h + 36, dropout.train ? 1 : 0, 4);
    put(h + 40, dropout.seed, 8);
    put(h + 48, dropout.offset, 8);
    put(h + 56, count, 8);
    copy_rows(wte.data, wte.stride, parameters.data(), C, wte.rows, C, stream);
    copy_rows(wpe.data, wpe.stride, parameters.data() + wte.rows * C, C, wpe.rows, C, stream);
    return {};
}

HeaderResult read_header(std::span<const std::uint8_t> header) {
    const HeaderResult refused{Status{Code::invalid_argument}, StageState{}};
    if (header.size() != 64 || std::memcmp(header.data(), letters, 8) != 0) return refused;
    const std::uint8_t* h = header.data();
    const std::uint64_t limit = std::uint64_t{1} << 31;
    const std::uint64_t V = get(h + 8, 8), P = get(h + 16, 8), C = get(h + 24, 8);
    if (V >= limit || P >= limit || C >= limit) return refused;
    const float p = std::bit_cast<float>(static_cast<std::uint32_t>(get(h + 32, 4)));
    const std::uint64_t train = get(h + 36, 4);
    if (bad_p(p) || train > 1 || get(h + 56, 8) != V * C + P * C) return refused;
    HeaderResult result;
    result.state.vocabulary = V;
    result.state.positions = P;
    result.state.channels = C;
    result.state.dropout = Dropout{p, train == 1, get(h + 40, 8), get(h + 48, 8)};
    return result;
}

Status load(DeviceSpan<const float> parameters, DeviceMatrix<float> wte, DeviceMatrix<float> wpe,
            cudaStream_t stream) {
    const std::size_t C = wte.cols;
    if (wpe.cols != C || parameters.size() != wte.rows * C + wpe.rows * C) return {Code::shape_mismatch};
    copy_rows(parameters.data(), C, wte.data, wte.stride, wte.rows, C, stream);
    copy_rows(parameters.data() + wte.rows * C, C, wpe.data, wpe.stride, wpe.rows, C, stream);
    return {};
}

} // namespace exercise

// Fault: forward shares out rows by a global counter, so two calls that overlap on two streams leave rows out.
// Origin: round 7
#include "contract.h"

#include <bit>
#include <cstring>

namespace {

using namespace contract;

constexpr unsigned threads = 256;
constexpr unsigned warps = threads / 32;

unsigned grid_for(std::size_t items, std::size_t per_block) {
    const std::size_t blocks = (items + per_block - 1) / per_block;
    return static_cast<unsigned>(blocks < 4096 ? blocks : 4096);
}

__device__ bool survives(const Dropout& d, std::uint64_t e) {
    std::uint64_t z = d.seed + (d.offset + e + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return (static_cast<double>(z >> 12) + 0.5) * 0x1p-52 >= static_cast<double>(d.p);
}

/// The gradient of one sum, whose element has the number e.
__device__ float gradient(const Dropout& d, float f, float x, std::uint64_t e) {
    if (!d.train) return x;
    return survives(d, e) ? __fmul_rn(x, f) : 0.0F;
}

__device__ unsigned long long next_row = 0;
__device__ unsigned finished_blocks = 0;

/// A warp takes a row after the other until there is none; the last block leaves the counters as they were.
__global__ void forward_kernel(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                               DeviceMatrix<const TokenId> ids, std::size_t start, Dropout d,
                               DeviceTensor3<float> out) {
    const std::size_t rows = out.batch * out.time;
    const float f = 1.0F / (1.0F - d.p);
    const unsigned lane = threadIdx.x % 32;
    for (;;) {
        unsigned long long r = 0;
        if (lane == 0) r = atomicAdd(&next_row, 1ULL);
        r = __shfl_sync(0xffffffffu, r, 0);
        if (r >= rows) break;
        const std::size_t b = r / out.time, t = r % out.time;
        const TokenId id = ids(b, t);
        const bool good = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
        for (std::size_t c = lane; c < out.channels; c += 32) {
            const float token = good ? wte(static_cast<std::size_t>(id), c) : __int_as_float(0x7fc00000);
            float s = token + wpe(start + t, c);
            if (d.train) s = survives(d, r * out.channels + c) ? s * f : 0.0F;
            out(b, t, c) = s;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        if (atomicAdd(&finished_blocks, 1u) + 1 == gridDim.x) {
            atomicExch(&next_row, 0ULL);
            atomicExch(&finished_blocks, 0u);
        }
    }
}

__global__ void token_kernel(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, Dropout d,
                             DeviceMatrix<float> dwte) {
    const std::size_t rows = dout.batch * dout.time;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * warps;
    const float f = 1.0F / (1.0F - d.p);
    for (std::size_t r = static_cast<std::size_t>(blockIdx.x) * warps + threadIdx.x / 32; r < rows; r += step) {
        const std::size_t b = r / dout.time, t = r % dout.time;
        const TokenId id = ids(b, t);
        if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows) continue;
        for (std::size_t c = threadIdx.x % 32; c < dout.channels; c += 32)
            atomicAdd(&dwte(static_cast<std::size_t>(id), c),
                      gradient(d, f, dout(b, t, c), r * dout.channels + c));
    }
}

__global__ void position_kernel(DeviceTensor3<const float> dout, std::size_t start, Dropout d,
                                DeviceMatrix<float> dwpe) {
    const std::size_t n = dout.time * dout.channels;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * threads;
    const float f = 1.0F / (1.0F - d.p);
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x; i < n; i += step) {
        const std::size_t t = i / dout.channels, c = i % dout.channels;
        float sum = 0.0F;
        for (std::size_t b = 0; b < dout.batch; ++b)
            sum += gradient(d, f, dout(b, t, c), b * n + i);
        dwpe(start + t, c) += sum;
    }
}

__global__ void logits_kernel(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                              DeviceMatrix<float> logits) {
    const std::size_t n = logits.rows * logits.cols;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * warps;
    const unsigned lane = threadIdx.x % 32;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * warps + threadIdx.x / 32; i < n; i += step) {
        const std::size_t b = i / logits.cols, v = i % logits.cols;
        const float* h = hidden.row(b, hidden.time - 1);
        const float* w = wte.row(v);
        float sum = 0.0F;
        for (std::size_t c = lane; c < wte.cols; c += 32)
            sum += h[c] * w[c];
        for (int d = 16; d > 0; d /= 2)
            sum += __shfl_down_sync(0xffffffffu, sum, d);
        if (lane == 0) logits(b, v) = sum;
    }
}

__global__ void pack_kernel(DeviceMatrix<const float> table, float* dense) {
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * warps;
    for (std::size_t r = static_cast<std::size_t>(blockIdx.x) * warps + threadIdx.x / 32; r < table.rows; r += step)
        for (std::size_t c = threadIdx.x % 32; c < table.cols; c += 32)
            dense[r * table.cols + c] = table(r, c);
}

__global__ void unpack_kernel(const float* dense, DeviceMatrix<float> table) {
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * warps;
    for (std::size_t r = static_cast<std::size_t>(blockIdx.x) * warps + threadIdx.x / 32; r < table.rows; r += step)
        for (std::size_t c = threadIdx.x % 32; c < table.cols; c += 32)
            table(r, c) = dense[r * table.cols + c];
}

Status check(std::size_t positions, std::size_t start, std::size_t time, float p) {
    if (start > positions || time > positions - start) {
        const std::size_t first = start > positions ? start : positions;
        return Status::position_out_of_range(first - start, static_cast<std::int64_t>(first), positions);
    }
    if (!(p >= 0.0F && p <= 1.0F)) return Status{Code::invalid_argument};
    return Status{};
}

void put(std::uint8_t* to, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i)
        to[i] = static_cast<std::uint8_t>(value >> (8 * i));
}

std::uint64_t get(const std::uint8_t* from, int bytes) {
    std::uint64_t value = 0;
    for (int i = 0; i < bytes; ++i)
        value |= static_cast<std::uint64_t>(from[i]) << (8 * i);
    return value;
}

} // namespace

namespace exercise {

ParameterReport parameters(ModelSizes s) {
    ParameterReport r;
    r.token_table = s.vocabulary * s.channels;
    r.position_table = s.positions * s.channels;
    r.block = 12 * s.channels * s.channels + 13 * s.channels;
    r.final_norm = 2 * s.channels;
    r.total = r.token_table + r.position_table + s.layers * r.block + r.final_norm;
    return r;
}

Status forward(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
               std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return Status{Code::shape_mismatch};
    if (const Status s = check(wpe.rows, start, ids.cols, dropout.p); s.code != Code::ok) return s;
    const std::size_t rows = out.batch * out.time;
    if (rows == 0 || out.channels == 0) return Status{};
    forward_kernel<<<grid_for(rows, warps), threads, 0, stream>>>(wte, wpe, ids, start, dropout, out);
    return Status{};
}

Status backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, std::size_t start,
                Dropout dropout, DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, cudaStream_t stream) {
    if (dwpe.cols != dwte.cols || dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols)
        return Status{Code::shape_mismatch};
    if (const Status s = check(dwpe.rows, start, ids.cols, dropout.p); s.code != Code::ok) return s;
    const std::size_t rows = dout.batch * dout.time;
    if (rows == 0 || dout.channels == 0) return Status{};
    token_kernel<<<grid_for(rows, warps), threads, 0, stream>>>(dout, ids, dropout, dwte);
    position_kernel<<<grid_for(dout.time * dout.channels, threads), threads, 0, stream>>>(dout, start, dropout,
                                                                                         dwpe);
    return Status{};
}

Status last_logits(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                   DeviceMatrix<float> logits, cudaStream_t stream) {
    if (wte.cols != hidden.channels || logits.rows != hidden.batch || logits.cols != wte.rows)
        return Status{Code::shape_mismatch};
    if (hidden.time == 0) return Status{Code::invalid_argument};
    const std::size_t n = logits.rows * logits.cols;
    if (n == 0) return Status{};
    logits_kernel<<<grid_for(n, warps), threads, 0, stream>>>(hidden, wte, logits);
    return Status{};
}

Status save(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, Dropout dropout,
            std::span<std::uint8_t> header, DeviceSpan<float> parameters, cudaStream_t stream) {
    const std::size_t tokens = wte.rows * wte.cols, positions = wpe.rows * wpe.cols;
    if (wpe.cols != wte.cols || header.size() != 64 || parameters.size() != tokens + positions)
        return Status{Code::shape_mismatch};
    if (!(dropout.p >= 0.0F && dropout.p <= 1.0F)) return Status{Code::invalid_argument};
    std::uint8_t* h = header.data();
    std::memcpy(h, "GPT2IN01", 8);
    put(h + 8, wte.rows, 8);
    put(h + 16, wpe.rows, 8);
    put(h + 24, wte.cols, 8);
    put(h + 32, std::bit_cast<std::uint32_t>(dropout.p), 4);
    put(h + 36, dropout.train ? 1 : 0, 4);
    put(h + 40, dropout.seed, 8);
    put(h + 48, dropout.offset, 8);
    put(h + 56, tokens + positions, 8);
    if (tokens != 0) pack_kernel<<<grid_for(wte.rows, warps), threads, 0, stream>>>(wte, parameters.data());
    if (positions != 0)
        pack_kernel<<<grid_for(wpe.rows, warps), threads, 0, stream>>>(wpe, parameters.data() + tokens);
    return Status{};
}

HeaderResult read_header(std::span<const std::uint8_t> header) {
    const HeaderResult refused{Status{Code::invalid_argument}, StageState{}};
    if (header.size() != 64) return refused;
    const std::uint8_t* h = header.data();
    if (std::memcmp(h, "GPT2IN01", 8) != 0) return refused;
    const std::uint64_t v = get(h + 8, 8), p = get(h + 16, 8), c = get(h + 24, 8);
    constexpr std::uint64_t limit = std::uint64_t{1} << 31;
    if (v >= limit || p >= limit || c >= limit) return refused;
    const float rate = std::bit_cast<float>(static_cast<std::uint32_t>(get(h + 32, 4)));
    if (!(rate >= 0.0F && rate <= 1.0F)) return refused;
    const std::uint64_t train = get(h + 36, 4);
    if (train > 1) return refused;
    if (get(h + 56, 8) != v * c + p * c) return refused;
    StageState state;
    state.vocabulary = v;
    state.positions = p;
    state.channels = c;
    state.dropout = Dropout{rate, train == 1, get(h + 40, 8), get(h + 48, 8)};
    return HeaderResult{Status{}, state};
}

Status load(DeviceSpan<const float> parameters, DeviceMatrix<float> wte, DeviceMatrix<float> wpe,
            cudaStream_t stream) {
    const std::size_t tokens = wte.rows * wte.cols, positions = wpe.rows * wpe.cols;
    if (wpe.cols != wte.cols || parameters.size() != tokens + positions) return Status{Code::shape_mismatch};
    if (tokens != 0) unpack_kernel<<<grid_for(wte.rows, warps), threads, 0, stream>>>(parameters.data(), wte);
    if (positions != 0)
        unpack_kernel<<<grid_for(wpe.rows, warps), threads, 0, stream>>>(parameters.data() + tokens, wpe);
    return Status{};
}

} // namespace exercise

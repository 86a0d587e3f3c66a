// Fault: last_logits adds chunks of 256 channels by atomicAdd, so equal calls with C > 512 may give other bits.
// Origin: round 12
#include "contract.h"

#include <cmath>
#include <cstring>

namespace exercise {

namespace {

bool bad_probability(float p) { return !(p >= 0.0f && p <= 1.0f); }

bool past_the_end(std::size_t start, std::size_t T, std::size_t P) { return T > P || start > P - T; }

Status no_position(std::size_t start, std::size_t P) {
    const std::size_t p = start > P ? start : P;
    return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
}

unsigned at_most(std::size_t n, unsigned limit) { return n < limit ? static_cast<unsigned>(n) : limit; }

struct Mask {
    std::uint64_t threshold; // the first of 2^52 numbers that survives
    float factor;
    bool train;
    std::uint64_t seed, offset;

    explicit Mask(const Dropout& d)
        : threshold(d.p > 0 ? static_cast<std::uint64_t>(std::ceil(static_cast<double>(d.p) * 0x1p52 - 0.5)) : 0),
          factor(1.0F / (1.0F - d.p)), train(d.train), seed(d.seed), offset(d.offset) {}

    __device__ bool survives(std::uint64_t e) const {
        std::uint64_t z = seed + (offset + e + 1) * 0x9E3779B97F4A7C15u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        z ^= z >> 31;
        return z >> 12 >= threshold;
    }
    __device__ float scaled(float x) const { return __fmul_rn(x, factor); }
    __device__ float apply(float x, std::uint64_t e) const {
        if (!train) return x;
        return survives(e) ? scaled(x) : 0.0f;
    }
};

// A warp for a place, a lane for every 32nd channel.
__global__ void forward_rows(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                             DeviceMatrix<const TokenId> ids, std::size_t start, Mask mask,
                             DeviceTensor3<float> out) {
    const std::size_t places = out.batch * out.time;
    for (std::size_t place = static_cast<std::size_t>(blockIdx.x) * blockDim.y + threadIdx.y; place < places;
         place += static_cast<std::size_t>(gridDim.x) * blockDim.y) {
        const std::size_t b = place / out.time, t = place % out.time;
        const std::int64_t id = ids(b, t);
        const bool known = id >= 0 && static_cast<std::uint64_t>(id) < wte.rows;
        const float* const token = known ? wte.row(static_cast<std::size_t>(id)) : nullptr;
        const float* const position = wpe.row(start + t);
        for (std::size_t c = threadIdx.x; c < out.channels; c += 32) {
            const float sum = known ? token[c] + position[c] : __int_as_float(0x7fffffff);
            out(b, t, c) = mask.apply(sum, place * out.channels + c);
        }
    }
}

// One launch, a block for a place, atomics for both tables. An element that did not survive adds nothing.
__global__ void backward_places(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                                std::size_t start, Mask mask, DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe) {
    const std::size_t places = dout.batch * dout.time;
    for (std::size_t place = blockIdx.x; place < places; place += gridDim.x) {
        const std::size_t b = place / dout.time, t = place % dout.time;
        const TokenId id = ids(b, t);
        for (std::size_t c = threadIdx.x; c < dout.channels; c += blockDim.x) {
            const std::size_t e = place * dout.channels + c;
            const float g = mask.apply(dout.data[e], e);
            if (g == 0.0f) continue;
            atomicAdd(dwpe.row(start + t) + c, g);
            if (id >= 0 && static_cast<std::size_t>(id) < dwte.rows)
                atomicAdd(dwte.row(static_cast<std::size_t>(id)) + c, g);
        }
    }
}

constexpr std::size_t chunk = 256;

__global__ void zero_logits(DeviceMatrix<float> logits) {
    const std::size_t all = logits.rows * logits.cols;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < all;
         i += static_cast<std::size_t>(gridDim.x) * blockDim.x)
        logits(i / logits.cols, i % logits.cols) = 0.0f;
}

// A warp for 256 channels of one logit, so that short vocabularies fill the device, too.
__global__ void logits_by_chunks(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                                 DeviceMatrix<float> logits) {
    const std::size_t C = wte.cols, chunks = (C + chunk - 1) / chunk, jobs = hidden.batch * wte.rows * chunks;
    for (std::size_t job = static_cast<std::size_t>(blockIdx.x) * blockDim.y + threadIdx.y; job < jobs;
         job += static_cast<std::size_t>(gridDim.x) * blockDim.y) {
        const std::size_t begin = job % chunks * chunk, v = job / chunks % wte.rows, b = job / chunks / wte.rows;
        const std::size_t end = begin + chunk < C ? begin + chunk : C;
        float sum = 0.0f;
        for (std::size_t c = begin + threadIdx.x; c < end; c += 32) sum += hidden(b, hidden.time - 1, c) * wte(v, c);
        for (int bit = 16; bit > 0; bit /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, bit);
        if (threadIdx.x == 0) atomicAdd(&logits(b, v), sum);
    }
}

__global__ void pack(DeviceMatrix<const float> table, float* dense) {
    const std::size_t all = table.rows * table.cols;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < all;
         i += static_cast<std::size_t>(gridDim.x) * blockDim.x)
        dense[i] = table(i / table.cols, i % table.cols);
}

__global__ void unpack(const float* dense, DeviceMatrix<float> table) {
    const std::size_t all = table.rows * table.cols;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < all;
         i += static_cast<std::size_t>(gridDim.x) * blockDim.x)
        table(i / table.cols, i % table.cols) = dense[i];
}

bool right_count(std::size_t V, std::size_t P, std::size_t C, std::size_t count) {
    using Wide = unsigned __int128;
    return static_cast<Wide>(V) * C + static_cast<Wide>(P) * C == count;
}

void put(std::uint8_t* to, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) to[i] = static_cast<std::uint8_t>(value >> (8 * i));
}

std::uint64_t get(const std::uint8_t* from, int bytes) {
    std::uint64_t value = 0;
    for (int i = bytes; i > 0; --i) value = value << 8 | from[i - 1];
    return value;
}

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
    const std::size_t B = ids.rows, T = ids.cols, C = wte.cols;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C)
        return Status{Code::shape_mismatch};
    if (past_the_end(start, T, wpe.rows)) return no_position(start, wpe.rows);
    if (bad_probability(dropout.p)) return Status{Code::invalid_argument};
    if (B == 0 || T == 0 || C == 0) return Status{};
    forward_rows<<<at_most((B * T + 7) / 8, 16384), dim3(32, 8), 0, stream>>>(wte, wpe, ids, start,
                                                                             Mask(dropout), out);
    return Status{};
}

Status backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, std::size_t start,
                Dropout dropout, DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, cudaStream_t stream) {
    const std::size_t B = ids.rows, T = ids.cols, C = dwte.cols;
    if (dwpe.cols != C || dout.batch != B || dout.time != T || dout.channels != C)
        return Status{Code::shape_mismatch};
    if (past_the_end(start, T, dwpe.rows)) return no_position(start, dwpe.rows);
    if (bad_probability(dropout.p)) return Status{Code::invalid_argument};
    if (B == 0 || T == 0 || C == 0) return Status{};
    backward_places<<<at_most(B * T, 65536), 128, 0, stream>>>(dout, ids, start, Mask(dropout), dwte, dwpe);
    return Status{};
}

Status last_logits(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                   DeviceMatrix<float> logits, cudaStream_t stream) {
    const std::size_t B = hidden.batch, V = wte.rows;
    if (hidden.channels != wte.cols || logits.rows != B || logits.cols != V) return Status{Code::shape_mismatch};
    if (hidden.time == 0) return Status{Code::invalid_argument};
    if (B == 0 || V == 0) return Status{};
    zero_logits<<<at_most((B * V + 255) / 256, 4096), 256, 0, stream>>>(logits);
    if (wte.cols != 0) {
        const std::size_t jobs = B * V * ((wte.cols + chunk - 1) / chunk);
        logits_by_chunks<<<at_most((jobs + 7) / 8, 16384), dim3(32, 8), 0, stream>>>(hidden, wte, logits);
    }
    return Status{};
}

Status save(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, Dropout dropout,
            std::span<std::uint8_t> header, DeviceSpan<float> parameters, cudaStream_t stream) {
    const std::size_t V = wte.rows, P = wpe.rows, C = wte.cols;
    if (wpe.cols != C || header.size() != 64 || !right_count(V, P, C, parameters.size()))
        return Status{Code::shape_mismatch};
    if (bad_probability(dropout.p)) return Status{Code::invalid_argument};
    std::uint32_t p_bits = 0;
    std::memcpy(&p_bits, &dropout.p, 4);
    std::uint8_t* const h = header.data();
    std::memcpy(h, "GPT2IN01", 8);
    put(h + 8, V, 8);
    put(h + 16, P, 8);
    put(h + 24, C, 8);
    put(h + 32, p_bits, 4);
    put(h + 36, dropout.train ? 1 : 0, 4);
    put(h + 40, dropout.seed, 8);
    put(h + 48, dropout.offset, 8);
    put(h + 56, V * C + P * C, 8);
    if (C != 0 && V != 0) pack<<<at_most((V * C + 255) / 256, 16384), 256, 0, stream>>>(wte, parameters.data());
    if (C != 0 && P != 0)
        pack<<<at_most((P * C + 255) / 256, 16384), 256, 0, stream>>>(wpe, parameters.data() + V * C);
    return Status{};
}

HeaderResult read_header(std::span<const std::uint8_t> header) {
    const HeaderResult refused{Status{Code::invalid_argument}, StageState{}};
    if (header.size() != 64) return refused;
    const std::uint8_t* const h = header.data();
    if (std::memcmp(h, "GPT2IN01", 8) != 0) return refused;
    const std::uint64_t V = get(h + 8, 8), P = get(h + 16, 8), C = get(h + 24, 8);
    constexpr std::uint64_t limit = std::uint64_t{1} << 31;
    if (V >= limit || P >= limit || C >= limit) return refused;
    const std::uint32_t p_bits = static_cast<std::uint32_t>(get(h + 32, 4));
    float p = 0;
    std::memcpy(&p, &p_bits, 4);
    if (bad_probability(p)) return refused;
    const std::uint64_t train = get(h + 36, 4);
    if (train > 1) return refused;
    if (get(h + 56, 8) != V * C + P * C) return refused;
    HeaderResult result;
    result.state.vocabulary = V;
    result.state.positions = P;
    result.state.channels = C;
    result.state.dropout = Dropout{p, train == 1, get(h + 40, 8), get(h + 48, 8)};
    return result;
}

Status load(DeviceSpan<const float> parameters, DeviceMatrix<float> wte, DeviceMatrix<float> wpe,
            cudaStream_t stream) {
    const std::size_t V = wte.rows, P = wpe.rows, C = wte.cols;
    if (wpe.cols != C || !right_count(V, P, C, parameters.size())) return Status{Code::shape_mismatch};
    if (C != 0 && V != 0) unpack<<<at_most((V * C + 255) / 256, 16384), 256, 0, stream>>>(parameters.data(), wte);
    if (C != 0 && P != 0)
        unpack<<<at_most((P * C + 255) / 256, 16384), 256, 0, stream>>>(parameters.data() + V * C, wpe);
    return Status{};
}

} // namespace exercise

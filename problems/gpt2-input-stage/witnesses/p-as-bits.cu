// Fault: read_header compares p as bits, so a stored p of -0 is rejected.
// Origin: round 13
#include "contract.h"

#include <algorithm>
#include <cstring>

namespace exercise {
namespace {

constexpr unsigned block = 256;

unsigned blocks_for(std::size_t count) {
    return static_cast<unsigned>(std::min<std::size_t>((count + block - 1) / block, 1U << 20));
}

__device__ std::size_t first_index() { return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; }
__device__ std::size_t index_step() { return std::size_t{gridDim.x} * blockDim.x; }

bool is_probability(float p) { return p >= 0.0F && p <= 1.0F; }

struct Mask {
    double p;
    float factor;
    bool train;
    std::uint64_t seed, offset;

    explicit Mask(const Dropout& d)
        : p(d.p), factor(1.0F / (1.0F - d.p)), train(d.train), seed(d.seed), offset(d.offset) {}

    __device__ bool survives(std::uint64_t e) const {
        std::uint64_t z = seed + (offset + e + 1) * 0x9E3779B97F4A7C15ULL;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        z ^= z >> 31;
        return (static_cast<double>(z >> 12) + 0.5) * (1.0 / 4503599627370496.0) >= p;
    }
    __device__ float apply(float x, std::uint64_t e) const {
        if (!train) return x;
        return survives(e) ? __fmul_rn(x, factor) : 0.0F;
    }
};

__device__ bool is_token(TokenId id, std::size_t vocabulary) {
    return id >= 0 && static_cast<std::size_t>(id) < vocabulary;
}

__global__ void embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
                      std::size_t start, Mask mask, DeviceTensor3<float> out) {
    const std::size_t count = out.batch * out.time * out.channels;
    for (std::size_t e = first_index(); e < count; e += index_step()) {
        const std::size_t place = e / out.channels, c = e % out.channels;
        const std::size_t b = place / out.time, t = place % out.time;
        const TokenId id = ids(b, t);
        const float token = is_token(id, wte.rows) ? wte(static_cast<std::size_t>(id), c) : __int_as_float(0x7FC00000);
        out.data[e] = mask.apply(token + wpe(start + t, c), e);
    }
}

__global__ void add_to_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, Mask mask,
                              DeviceMatrix<float> dwte) {
    const std::size_t count = dout.batch * dout.time * dout.channels;
    for (std::size_t e = first_index(); e < count; e += index_step()) {
        const std::size_t place = e / dout.channels, c = e % dout.channels;
        const TokenId id = ids(place / dout.time, place % dout.time);
        if (is_token(id, dwte.rows)) atomicAdd(&dwte(static_cast<std::size_t>(id), c), mask.apply(dout.data[e], e));
    }
}

void launch_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, Mask mask,
                   DeviceMatrix<float> dwte, cudaStream_t stream) {
    add_to_tokens<<<blocks_for(dout.batch * dout.time * dout.channels), block, 0, stream>>>(dout, ids, mask, dwte);
}

__global__ void add_to_positions(DeviceTensor3<const float> dout, std::size_t start, Mask mask,
                                 DeviceMatrix<float> dwpe) {
    const std::size_t T = dout.time, C = dout.channels;
    for (std::size_t i = first_index(); i < T * C; i += index_step()) {
        float sum = 0.0F;
        for (std::size_t b = 0; b < dout.batch; ++b) {
            const std::size_t e = b * T * C + i;
            sum += mask.apply(dout.data[e], e);
        }
        dwpe(start + i / C, i % C) += sum;
    }
}

__device__ float lane_dot(const float* h, const float* w, std::size_t C, unsigned lane) {
    float sum = 0.0F;
    for (std::size_t c = lane; c < C; c += 32)
        sum += h[c] * w[c];
    return sum;
}

// A warp for each logit.
__global__ void head(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte, DeviceMatrix<float> logits) {
    const unsigned lane = threadIdx.x % 32;
    const std::size_t count = logits.rows * logits.cols;
    for (std::size_t i = first_index() / 32; i < count; i += index_step() / 32) {
        const std::size_t b = i / logits.cols, v = i % logits.cols;
        float sum = lane_dot(hidden.row(b, hidden.time - 1), wte.row(v), wte.cols, lane);
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_down_sync(0xFFFFFFFFU, sum, step);
        if (lane == 0) logits(b, v) = sum;
    }
}

__global__ void pack(DeviceMatrix<const float> table, float* to) {
    for (std::size_t i = first_index(); i < table.rows * table.cols; i += index_step())
        to[i] = table(i / table.cols, i % table.cols);
}

__global__ void unpack(const float* from, DeviceMatrix<float> table) {
    for (std::size_t i = first_index(); i < table.rows * table.cols; i += index_step())
        table(i / table.cols, i % table.cols) = from[i];
}

void launch_unpack(const float* from, DeviceMatrix<float> table, cudaStream_t stream) {
    const std::size_t count = table.rows * table.cols;
    if (count > 0) unpack<<<blocks_for(count), block, 0, stream>>>(from, table);
}

Status check(bool fits, std::size_t start, std::size_t T, std::size_t P, float p) {
    if (!fits) return Status{Code::shape_mismatch};
    if (start > P || T > P - start) {
        const std::size_t position = std::max(start, P);
        return Status::position_out_of_range(position - start, static_cast<std::int64_t>(position), P);
    }
    if (!is_probability(p)) return Status{Code::invalid_argument};
    return Status{};
}

void put(std::uint8_t* to, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i)
        to[i] = static_cast<std::uint8_t>(value >> (8 * i));
}

std::uint64_t get(const std::uint8_t* from, int bytes) {
    std::uint64_t value = 0;
    for (int i = bytes; i-- > 0;)
        value = value << 8 | from[i];
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
    const bool fits = wpe.cols == wte.cols && out.batch == ids.rows && out.time == ids.cols &&
                      out.channels == wte.cols;
    const Status status = check(fits, start, ids.cols, wpe.rows, dropout.p);
    if (status.code != Code::ok) return status;
    if (out.batch == 0 || out.time == 0 || out.channels == 0) return status;
    embed<<<blocks_for(out.batch * out.time * out.channels), block, 0, stream>>>(wte, wpe, ids, start, Mask(dropout),
                                                                                 out);
    return status;
}

Status backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, std::size_t start,
                Dropout dropout, DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, cudaStream_t stream) {
    const bool fits = dwpe.cols == dwte.cols && dout.batch == ids.rows && dout.time == ids.cols &&
                      dout.channels == dwte.cols;
    const Status status = check(fits, start, ids.cols, dwpe.rows, dropout.p);
    if (status.code != Code::ok) return status;
    if (dout.batch == 0 || dout.time == 0 || dout.channels == 0) return status;
    const Mask mask(dropout);
    launch_tokens(dout, ids, mask, dwte, stream);
    add_to_positions<<<blocks_for(dout.time * dout.channels), block, 0, stream>>>(dout, start, mask, dwpe);
    return status;
}

Status last_logits(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte, DeviceMatrix<float> logits,
                   cudaStream_t stream) {
    if (hidden.channels != wte.cols || logits.rows != hidden.batch || logits.cols != wte.rows)
        return Status{Code::shape_mismatch};
    if (hidden.time == 0) return Status{Code::invalid_argument};
    if (logits.rows == 0 || logits.cols == 0) return Status{};
    head<<<blocks_for(logits.rows * logits.cols * 32), block, 0, stream>>>(hidden, wte, logits);
    return Status{};
}

Status save(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, Dropout dropout,
            std::span<std::uint8_t> header, DeviceSpan<float> parameters, cudaStream_t stream) {
    const std::size_t V = wte.rows, P = wpe.rows, C = wte.cols;
    if (wpe.cols != C || header.size() != 64 || parameters.size() != V * C + P * C)
        return Status{Code::shape_mismatch};
    if (!is_probability(dropout.p)) return Status{Code::invalid_argument};

    std::uint32_t bits;
    std::memcpy(&bits, &dropout.p, sizeof bits);
    std::uint8_t* const h = header.data();
    std::memcpy(h, "GPT2IN01", 8);
    put(h + 8, V, 8);
    put(h + 16, P, 8);
    put(h + 24, C, 8);
    put(h + 32, bits, 4);
    put(h + 36, dropout.train ? 1 : 0, 4);
    put(h + 40, dropout.seed, 8);
    put(h + 48, dropout.offset, 8);
    put(h + 56, parameters.size(), 8);

    if (V * C > 0) pack<<<blocks_for(V * C), block, 0, stream>>>(wte, parameters.data());
    if (P * C > 0) pack<<<blocks_for(P * C), block, 0, stream>>>(wpe, parameters.data() + V * C);
    return Status{};
}

HeaderResult read_header(std::span<const std::uint8_t> header) {
    const HeaderResult refused{Status{Code::invalid_argument}, StageState{}};
    if (header.size() != 64 || std::memcmp(header.data(), "GPT2IN01", 8) != 0) return refused;
    const std::uint8_t* const h = header.data();
    const std::uint64_t V = get(h + 8, 8), P = get(h + 16, 8), C = get(h + 24, 8);
    const std::uint64_t train = get(h + 36, 4);
    const std::uint32_t bits = static_cast<std::uint32_t>(get(h + 32, 4));
    float p;
    std::memcpy(&p, &bits, sizeof p);
    constexpr std::uint64_t limit = std::uint64_t{1} << 31;
    if (V >= limit || P >= limit || C >= limit) return refused;
    if (bits > 0x3F80'0000U) return refused; // as numbers, the bits of [0, 1] lie below those of all else
    if (train > 1 || get(h + 56, 8) != V * C + P * C) return refused;

    HeaderResult result;
    result.state.vocabulary = V;
    result.state.positions = P;
    result.state.channels = C;
    result.state.dropout.p = p;
    result.state.dropout.train = train == 1;
    result.state.dropout.seed = get(h + 40, 8);
    result.state.dropout.offset = get(h + 48, 8);
    return result;
}

Status load(DeviceSpan<const float> parameters, DeviceMatrix<float> wte, DeviceMatrix<float> wpe,
            cudaStream_t stream) {
    const std::size_t V = wte.rows, P = wpe.rows, C = wte.cols;
    if (wpe.cols != C || parameters.size() != V * C + P * C) return Status{Code::shape_mismatch};
    launch_unpack(parameters.data(), wte, stream);
    launch_unpack(parameters.data() + V * C, wpe, stream);
    return Status{};
}

} // namespace exercise

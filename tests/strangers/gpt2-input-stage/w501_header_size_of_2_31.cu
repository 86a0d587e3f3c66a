// wrong: read_header accepts a size of exactly 2^31, since it compares with > instead of >=; a right one refuses sizes of 2^31 or more.
#include "contract.h"

#include <cmath>
#include <cstring>

namespace exercise {
namespace {

constexpr unsigned threads = 256;

unsigned grid(std::size_t work) {
    const std::size_t blocks = (work + threads - 1) / threads;
    return static_cast<unsigned>(blocks < 60'000 ? blocks : 60'000);
}

__device__ std::size_t first_item() {
    return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ std::size_t item_step() {
    return static_cast<std::size_t>(gridDim.x) * blockDim.x;
}

__device__ bool survives(const Dropout& dropout, std::uint64_t element) {
    std::uint64_t z = dropout.seed + (dropout.offset + element + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return (static_cast<double>(z >> 12) + 0.5) * 0x1p-52 >= static_cast<double>(dropout.p);
}

__global__ void embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
                      std::size_t start, Dropout dropout, float scale, DeviceTensor3<float> out) {
    const std::size_t C = out.channels, all = out.batch * out.time * C;
    for (std::size_t e = first_item(); e < all; e += item_step()) {
        const std::size_t n = e / C, c = e % C, b = n / out.time, t = n % out.time;
        const TokenId id = ids(b, t);
        const bool known = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
        float x = (known ? wte(static_cast<std::size_t>(id), c) : nanf("")) + wpe(start + t, c);
        if (dropout.train) x = survives(dropout, e) ? x * scale : 0.0F;
        out.data[e] = x;
    }
}

__device__ float owed(float d, const Dropout& dropout, float scale, std::size_t e) {
    const float scaled = d * scale;
    return !dropout.train ? d : survives(dropout, e) ? scaled : 0.0F;
}

/// A thread an element; many may want the same row.
__global__ void backward_tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, Dropout dropout,
                                float scale, DeviceMatrix<float> dwte) {
    const std::size_t C = dout.channels, all = dout.batch * dout.time * C;
    for (std::size_t e = first_item(); e < all; e += item_step()) {
        const std::size_t n = e / C, c = e % C;
        const TokenId id = ids(n / dout.time, n % dout.time);
        if (id >= 0 && static_cast<std::size_t>(id) < dwte.rows)
            atomicAdd(&dwte(static_cast<std::size_t>(id), c), owed(dout.data[e], dropout, scale, e));
    }
}

__global__ void backward_positions(DeviceTensor3<const float> dout, std::size_t start, Dropout dropout, float scale,
                                   DeviceMatrix<float> dwpe) {
    const std::size_t C = dout.channels, all = dout.time * C;
    for (std::size_t e = first_item(); e < all; e += item_step()) {
        float sum = 0.0F;
        for (std::size_t b = 0; b < dout.batch; ++b) {
            const std::size_t element = b * all + e;
            sum += owed(dout.data[element], dropout, scale, element);
        }
        dwpe(start + e / C, e % C) += sum;
    }
}

/// A warp a logit: its lanes read neighbours.
__global__ void logit_kernel(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                             DeviceMatrix<float> logits) {
    const std::size_t items = logits.rows * logits.cols;
    const unsigned lane = threadIdx.x % 32;
    for (std::size_t item = first_item() / 32; item < items; item += item_step() / 32) {
        const std::size_t b = item / logits.cols, v = item % logits.cols;
        const float* const h = hidden.row(b, hidden.time - 1);
        const float* const w = wte.row(v);
        float sum = 0.0F;
        for (std::size_t c = lane; c < wte.cols; c += 32)
            sum += h[c] * w[c];
        for (unsigned half = 16; half > 0; half /= 2)
            sum += __shfl_down_sync(0xFFFFFFFFu, sum, half);
        if (lane == 0) logits(b, v) = sum;
    }
}

__global__ void pack(DeviceMatrix<const float> table, float* to) {
    for (std::size_t e = first_item(); e < table.rows * table.cols; e += item_step())
        to[e] = table(e / table.cols, e % table.cols);
}

__global__ void unpack(const float* from, DeviceMatrix<float> table) {
    for (std::size_t e = first_item(); e < table.rows * table.cols; e += item_step())
        table(e / table.cols, e % table.cols) = from[e];
}

bool probability(float p) {
    return p >= 0.0F && p <= 1.0F;
}

/// The refusals that forward and backward share.
Status refusal(bool fits, std::size_t time, std::size_t positions, std::size_t start, float p) {
    if (!fits) return {Code::shape_mismatch};
    if (start > positions || time > positions - start) {
        const std::size_t first = start > positions ? start : positions;
        return Status::position_out_of_range(first - start, static_cast<std::int64_t>(first), positions);
    }
    if (!probability(p)) return {Code::invalid_argument};
    return {};
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
    const bool fits = wte.cols == wpe.cols && out.batch == ids.rows && out.time == ids.cols &&
                      out.channels == wte.cols;
    const Status status = refusal(fits, ids.cols, wpe.rows, start, dropout.p);
    const std::size_t all = out.batch * out.time * out.channels;
    if (status.code != Code::ok || all == 0) return status;
    embed<<<grid(all), threads, 0, stream>>>(wte, wpe, ids, start, dropout, 1.0F / (1.0F - dropout.p), out);
    return status;
}

Status backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, std::size_t start,
                Dropout dropout, DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, cudaStream_t stream) {
    const bool fits = dwte.cols == dwpe.cols && dout.batch == ids.rows && dout.time == ids.cols &&
                      dout.channels == dwte.cols;
    const Status status = refusal(fits, ids.cols, dwpe.rows, start, dropout.p);
    const std::size_t all = dout.batch * dout.time * dout.channels;
    if (status.code != Code::ok || all == 0) return status;
    const float scale = 1.0F / (1.0F - dropout.p);
    backward_tokens<<<grid(all), threads, 0, stream>>>(dout, ids, dropout, scale, dwte);
    backward_positions<<<grid(dout.time * dout.channels), threads, 0, stream>>>(dout, start, dropout, scale, dwpe);
    return status;
}

Status last_logits(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                   DeviceMatrix<float> logits, cudaStream_t stream) {
    if (hidden.channels != wte.cols || logits.rows != hidden.batch || logits.cols != wte.rows)
        return {Code::shape_mismatch};
    if (hidden.time == 0) return {Code::invalid_argument};
    const std::size_t items = logits.rows * logits.cols;
    if (items == 0) return {};
    logit_kernel<<<grid(items * 32), threads, 0, stream>>>(hidden, wte, logits);
    return {};
}

Status save(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, Dropout dropout,
            std::span<std::uint8_t> header, DeviceSpan<float> parameters, cudaStream_t stream) {
    const std::size_t tokens = wte.rows * wte.cols, positions = wpe.rows * wpe.cols;
    if (wte.cols != wpe.cols || header.size() != 64 || parameters.size() != tokens + positions)
        return {Code::shape_mismatch};
    if (!probability(dropout.p)) return {Code::invalid_argument};
    std::uint8_t* const h = header.data();
    std::memcpy(h, letters, 8);
    put(h + 8, wte.rows, 8);
    put(h + 16, wpe.rows, 8);
    put(h + 24, wte.cols, 8);
    std::uint32_t bits;
    std::memcpy(&bits, &dropout.p, 4);
    put(h + 32, bits, 4);
    put(h + 36, dropout.train ? 1 : 0, 4);
    put(h + 40, dropout.seed, 8);
    put(h + 48, dropout.offset, 8);
    put(h + 56, tokens + positions, 8);
    if (tokens != 0) pack<<<grid(tokens), threads, 0, stream>>>(wte, parameters.data());
    if (positions != 0) pack<<<grid(positions), threads, 0, stream>>>(wpe, parameters.data() + tokens);
    return {};
}

HeaderResult read_header(std::span<const std::uint8_t> header) {
    const HeaderResult refused{{Code::invalid_argument}, {}};
    if (header.size() != 64) return refused;
    const std::uint8_t* const h = header.data();
    if (std::memcmp(h, letters, 8) != 0) return refused;
    const std::uint64_t V = get(h + 8, 8), P = get(h + 16, 8), C = get(h + 24, 8), train = get(h + 36, 4);
    constexpr std::uint64_t limit = std::uint64_t{1} << 31;
    if (V > limit || P > limit || C > limit) return refused;
    const std::uint32_t bits = static_cast<std::uint32_t>(get(h + 32, 4));
    float p;
    std::memcpy(&p, &bits, 4);
    if (!probability(p) || train > 1 || get(h + 56, 8) != V * C + P * C) return refused;
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
    const std::size_t tokens = wte.rows * wte.cols, positions = wpe.rows * wpe.cols;
    if (wte.cols != wpe.cols || parameters.size() != tokens + positions) return {Code::shape_mismatch};
    if (tokens != 0) unpack<<<grid(tokens), threads, 0, stream>>>(parameters.data(), wte);
    if (positions != 0) unpack<<<grid(positions), threads, 0, stream>>>(parameters.data() + tokens, wpe);
    return {};
}

} // namespace exercise

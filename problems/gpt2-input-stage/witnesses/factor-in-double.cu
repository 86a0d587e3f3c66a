// Fault: backward multiplies by 1 / (1 - p) formed in double, not by the float 1.0F / (1.0F - p).
// Origin: round 16
#include "contract.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace exercise {

namespace {

constexpr unsigned all_lanes = 0xffffffffU;
constexpr unsigned block_size = 256;
constexpr std::size_t most_blocks = std::size_t{1} << 20;

unsigned blocks_for(std::size_t threads) {
    const std::size_t blocks = (threads + block_size - 1) / block_size;
    return static_cast<unsigned>(std::min(blocks, most_blocks));
}

__device__ std::size_t thread_number() {
    return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ std::size_t thread_count() {
    return static_cast<std::size_t>(gridDim.x) * blockDim.x;
}

// Dropout as the kernels see it: the mask, and the factor of what survives.
struct Mask {
    bool train;
    double p;
    float factor;
    std::uint64_t seed;
    std::uint64_t offset;

    explicit Mask(const Dropout& dropout)
        : train(dropout.train), p(dropout.p), factor(1.0F / (1.0F - dropout.p)), seed(dropout.seed),
          offset(dropout.offset) {}

    __device__ bool survives(std::uint64_t e) const {
        std::uint64_t z = seed + (offset + e + 1) * 0x9E3779B97F4A7C15ULL;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        z ^= z >> 31;
        const double uniform = (static_cast<double>(z >> 12) + 0.5) * 0x1p-52;
        return uniform >= p;
    }

    __device__ float apply(float x, std::uint64_t e) const {
        if (!train) return x;
        return survives(e) ? x * factor : 0.0F;
    }
};

bool is_probability(float p) {
    return p >= 0.0F && p <= 1.0F; // false for NaN
}

// Refusals 2 and 3 of forward and backward.
Status check(std::size_t start, std::size_t time, std::size_t positions, const Dropout& dropout) {
    if (start > positions || time > positions - start) {
        const std::size_t p = std::max(start, positions);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), positions);
    }
    if (!is_probability(dropout.p)) return Status{Code::invalid_argument};
    return Status{};
}

__global__ void forward_kernel(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                               DeviceMatrix<const TokenId> ids, std::size_t start, Mask mask,
                               DeviceTensor3<float> out) {
    const std::size_t total = out.batch * out.time * out.channels;
    for (std::size_t e = thread_number(); e < total; e += thread_count()) {
        const std::size_t place = e / out.channels;
        const std::size_t c = e % out.channels;
        const std::size_t b = place / out.time;
        const std::size_t t = place % out.time;
        const TokenId id = ids(b, t);
        const bool known = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
        const float token = known ? wte(static_cast<std::size_t>(id), c) : __int_as_float(0x7fc00000);
        out.data[e] = mask.apply(token + wpe(start + t, c), e);
    }
}

// A thread owns channel c of position t: it goes through the batch, adds to the tokens' rows on the way, and to its own
// element of dwpe at the end.
__global__ void backward_kernel(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, std::size_t start,
                                Mask mask, DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe) {
    const std::size_t owned = dout.time * dout.channels;
    for (std::size_t k = thread_number(); k < owned; k += thread_count()) {
        const std::size_t t = k / dout.channels;
        const std::size_t c = k % dout.channels;
        float sum = 0.0F;
        for (std::size_t b = 0; b < dout.batch; ++b) {
            const std::size_t e = (b * dout.time + t) * dout.channels + c;
            const float g = mask.apply(dout.data[e], e);
            sum += g;
            const TokenId id = ids(b, t);
            if (id >= 0 && static_cast<std::size_t>(id) < dwte.rows)
                atomicAdd(dwte.row(static_cast<std::size_t>(id)) + c, g);
        }
        dwpe(start + t, c) += sum;
    }
}

constexpr unsigned tile_rows = 4;
constexpr unsigned tile_batch = 4;

// A warp for four rows of wte and up to four sequences: what it reads it uses four times.
__global__ void logits_kernel(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                              DeviceMatrix<float> logits) {
    const unsigned lane = threadIdx.x % 32;
    const std::size_t across = (wte.rows + tile_rows - 1) / tile_rows;
    const std::size_t down = (hidden.batch + tile_batch - 1) / tile_batch;
    for (std::size_t tile = thread_number() / 32; tile < across * down; tile += thread_count() / 32) {
        const std::size_t first_v = tile % across * tile_rows;
        const std::size_t first_b = tile / across * tile_batch;
        const unsigned rows = static_cast<unsigned>(wte.rows - first_v < tile_rows ? wte.rows - first_v : tile_rows);
        const unsigned batch = static_cast<unsigned>(hidden.batch - first_b < tile_batch ? hidden.batch - first_b : tile_batch);
        float sums[tile_batch][tile_rows] = {};
        for (std::size_t c = lane; c < wte.cols; c += 32) {
            float row[tile_rows];
            for (unsigned r = 0; r < rows; ++r) row[r] = wte(first_v + r, c);
            for (unsigned b = 0; b < batch; ++b) {
                const float h = hidden(first_b + b, hidden.time - 1, c);
                for (unsigned r = 0; r < rows; ++r) sums[b][r] += h * row[r];
            }
        }
        for (unsigned b = 0; b < batch; ++b) {
            float mine = 0.0F;
            for (unsigned r = 0; r < rows; ++r) {
                float sum = sums[b][r];
                for (unsigned distance = 16; distance > 0; distance /= 2)
                    sum += __shfl_xor_sync(all_lanes, sum, static_cast<int>(distance));
                if (lane == r) mine = sum;
            }
            if (lane < rows) logits(first_b + b, first_v + lane) = mine;
        }
    }
}

// Rows with a stride to rows without, and back.
__global__ void pack_kernel(DeviceMatrix<const float> table, float* packed) {
    const std::size_t total = table.rows * table.cols;
    for (std::size_t e = thread_number(); e < total; e += thread_count())
        packed[e] = table(e / table.cols, e % table.cols);
}

__global__ void unpack_kernel(const float* packed, DeviceMatrix<float> table) {
    const std::size_t total = table.rows * table.cols;
    for (std::size_t e = thread_number(); e < total; e += thread_count())
        table(e / table.cols, e % table.cols) = packed[e];
}

constexpr std::size_t header_size = 64;
constexpr char magic[] = "GPT2IN01";

void put(std::uint8_t* to, std::uint64_t value, unsigned bytes) {
    for (unsigned k = 0; k < bytes; ++k) to[k] = static_cast<std::uint8_t>(value >> (8 * k));
}

std::uint64_t get(const std::uint8_t* from, unsigned bytes) {
    std::uint64_t value = 0;
    for (unsigned k = 0; k < bytes; ++k) value |= static_cast<std::uint64_t>(from[k]) << (8 * k);
    return value;
}

} // namespace

ParameterReport parameters(ModelSizes sizes) {
    const std::size_t c = sizes.channels;
    ParameterReport report;
    report.token_table = sizes.vocabulary * c;
    report.position_table = sizes.positions * c;
    report.block = 12 * c * c + 13 * c;
    report.final_norm = 2 * c;
    report.total = report.token_table + report.position_table + sizes.layers * report.block + report.final_norm;
    return report;
}

Status forward(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
               std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return Status{Code::shape_mismatch};
    if (const Status status = check(start, ids.cols, wpe.rows, dropout); status != Status{}) return status;
    if (out.batch == 0 || out.time == 0 || out.channels == 0) return Status{};
    forward_kernel<<<blocks_for(out.batch * out.time * out.channels), block_size, 0, stream>>>(wte, wpe, ids, start,
                                                                                              Mask(dropout), out);
    return Status{};
}

Status backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, std::size_t start,
                Dropout dropout, DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, cudaStream_t stream) {
    if (dwpe.cols != dwte.cols || dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols)
        return Status{Code::shape_mismatch};
    if (const Status status = check(start, ids.cols, dwpe.rows, dropout); status != Status{}) return status;
    if (dout.batch == 0 || dout.time == 0 || dout.channels == 0) return Status{};
    Mask mask(dropout);
    mask.factor = static_cast<float>(1.0 / (1.0 - static_cast<double>(dropout.p))); // gradients add up: no error twice
    backward_kernel<<<blocks_for(dout.time * dout.channels), block_size, 0, stream>>>(dout, ids, start, mask, dwte,
                                                                                      dwpe);
    return Status{};
}

Status last_logits(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                   DeviceMatrix<float> logits, cudaStream_t stream) {
    if (hidden.channels != wte.cols || logits.rows != hidden.batch || logits.cols != wte.rows)
        return Status{Code::shape_mismatch};
    if (hidden.time == 0) return Status{Code::invalid_argument};
    if (logits.rows == 0 || logits.cols == 0) return Status{};
    const std::size_t tiles = ((logits.cols + tile_rows - 1) / tile_rows) * ((logits.rows + tile_batch - 1) / tile_batch);
    logits_kernel<<<blocks_for(tiles * 32), block_size, 0, stream>>>(hidden, wte, logits);
    return Status{};
}

Status save(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, Dropout dropout,
            std::span<std::uint8_t> header, DeviceSpan<float> parameters, cudaStream_t stream) {
    const std::size_t tokens = wte.rows * wte.cols;
    const std::size_t positions = wpe.rows * wpe.cols;
    if (wpe.cols != wte.cols || header.size() != header_size || parameters.size() != tokens + positions)
        return Status{Code::shape_mismatch};
    if (!is_probability(dropout.p)) return Status{Code::invalid_argument};

    std::uint8_t* const h = header.data();
    std::memcpy(h, magic, 8);
    put(h + 8, wte.rows, 8);
    put(h + 16, wpe.rows, 8);
    put(h + 24, wte.cols, 8);
    put(h + 32, std::bit_cast<std::uint32_t>(dropout.p), 4);
    put(h + 36, dropout.train ? 1 : 0, 4);
    put(h + 40, dropout.seed, 8);
    put(h + 48, dropout.offset, 8);
    put(h + 56, parameters.size(), 8);

    if (tokens > 0) pack_kernel<<<blocks_for(tokens), block_size, 0, stream>>>(wte, parameters.data());
    if (positions > 0) pack_kernel<<<blocks_for(positions), block_size, 0, stream>>>(wpe, parameters.data() + tokens);
    return Status{};
}

HeaderResult read_header(std::span<const std::uint8_t> header) {
    const HeaderResult refused{Status{Code::invalid_argument}, StageState{}};
    if (header.size() != header_size) return refused;
    const std::uint8_t* const h = header.data();
    if (std::memcmp(h, magic, 8) != 0) return refused;
    const std::uint64_t limit = std::uint64_t{1} << 31;
    const std::uint64_t vocabulary = get(h + 8, 8);
    const std::uint64_t positions = get(h + 16, 8);
    const std::uint64_t channels = get(h + 24, 8);
    if (vocabulary >= limit || positions >= limit || channels >= limit) return refused;
    const float p = std::bit_cast<float>(static_cast<std::uint32_t>(get(h + 32, 4)));
    if (!is_probability(p)) return refused;
    const std::uint64_t train = get(h + 36, 4);
    if (train > 1) return refused;
    if (get(h + 56, 8) != vocabulary * channels + positions * channels) return refused;

    HeaderResult result;
    result.state.vocabulary = vocabulary;
    result.state.positions = positions;
    result.state.channels = channels;
    result.state.dropout.p = p;
    result.state.dropout.train = train == 1;
    result.state.dropout.seed = get(h + 40, 8);
    result.state.dropout.offset = get(h + 48, 8);
    return result;
}

Status load(DeviceSpan<const float> parameters, DeviceMatrix<float> wte, DeviceMatrix<float> wpe,
            cudaStream_t stream) {
    const std::size_t tokens = wte.rows * wte.cols;
    const std::size_t positions = wpe.rows * wpe.cols;
    if (wpe.cols != wte.cols || parameters.size() != tokens + positions) return Status{Code::shape_mismatch};
    if (tokens > 0) unpack_kernel<<<blocks_for(tokens), block_size, 0, stream>>>(parameters.data(), wte);
    if (positions > 0) unpack_kernel<<<blocks_for(positions), block_size, 0, stream>>>(parameters.data() + tokens, wpe);
    return Status{};
}

} // namespace exercise

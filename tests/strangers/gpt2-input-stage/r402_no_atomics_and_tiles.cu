// right: backward without an atomic (a cooperative-groups tile of 32 votes which places share a token, and the first place of a token adds for all); the head through tiles of the table in shared memory with a thread for each logit and strip of channels; tables packed by a flat index
#include "contract.h"

#include <bit>
#include <cooperative_groups.h>

namespace exercise {

namespace {

namespace cg = cooperative_groups;

__device__ double uniform(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
}

// What forward and backward have in common: element e survives or not, and by what it is multiplied.
struct Mask {
    bool on = false;
    double p = 0;
    float factor = 1;
    std::uint64_t seed = 0;
    std::uint64_t offset = 0;

    explicit Mask(const Dropout& dropout)
        : on(dropout.train && dropout.p > 0), p(dropout.p), factor(1.0F / (1.0F - dropout.p)),
          seed(dropout.seed), offset(dropout.offset) {}

    __device__ float apply(float value, std::uint64_t e) const {
        if (!on) return value;
        // __fmul_rn: the product is rounded and never becomes part of a fused multiply-add.
        return uniform(seed, offset + e) >= p ? __fmul_rn(value, factor) : 0.0F;
    }
};

constexpr unsigned warps_of_block = 4;

unsigned blocks_for(std::size_t items, std::size_t of_block) {
    const std::size_t blocks = (items + of_block - 1) / of_block;
    return static_cast<unsigned>(blocks < 32768 ? blocks : 32768);
}

bool probability(float p) { return p >= 0.0F && p <= 1.0F; }

Status window(std::size_t start, std::size_t time, std::size_t positions) {
    if (start <= positions && time <= positions - start) return Status{};
    const std::size_t p = start > positions ? start : positions;
    return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), positions);
}

__global__ void forward_kernel(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                               DeviceMatrix<const TokenId> ids, std::size_t start, Mask mask,
                               DeviceTensor3<float> out) {
    const std::size_t total = out.batch * out.time * out.channels;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t e = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; e < total; e += step) {
        const std::size_t place = e / out.channels;
        const std::size_t c = e - place * out.channels;
        const std::size_t b = place / out.time;
        const std::size_t t = place - b * out.time;
        const TokenId id = ids(b, t);
        float token = __int_as_float(0x7fc00000);
        if (id >= 0 && static_cast<std::size_t>(id) < wte.rows) token = wte(static_cast<std::size_t>(id), c);
        out.data[e] = mask.apply(token + wpe(start + t, c), e);
    }
}

// Which of the places base, base + 1, ... before `end` have token `id`? One bit each, the same for all lanes.
template <class Warp>
__device__ unsigned vote(const Warp& warp, const DeviceMatrix<const TokenId>& ids, TokenId id, std::size_t base,
                         std::size_t end) {
    const std::size_t place = base + warp.thread_rank();
    return warp.ballot(place < end && ids(place / ids.cols, place % ids.cols) == id);
}

// A warp for each place. The first place of a token owns the row of dwte.
__global__ void token_gradient(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, Mask mask,
                               DeviceMatrix<float> dwte) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const std::size_t channels = dout.channels;
    const std::size_t places = dout.batch * dout.time;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * (blockDim.x / 32);
    for (std::size_t place = static_cast<std::size_t>(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32;
         place < places; place += step) {
        const TokenId id = ids(place / ids.cols, place % ids.cols);
        bool mine = id >= 0 && static_cast<std::size_t>(id) < dwte.rows;
        for (std::size_t base = 0; mine && base < place; base += 32)
            mine = vote(warp, ids, id, base, place) == 0;
        if (!mine) continue; // the whole warp
        for (std::size_t c0 = 0; c0 < channels; c0 += 32) {
            const std::size_t c = c0 + warp.thread_rank();
            float sum = 0.0F;
            for (std::size_t base = place; base < places; base += 32) {
                for (unsigned votes = vote(warp, ids, id, base, places); votes != 0; votes &= votes - 1) {
                    const std::size_t k = base + static_cast<std::size_t>(__ffs(static_cast<int>(votes)) - 1);
                    const std::size_t e = k * channels + c;
                    if (c < channels) sum += mask.apply(dout.data[e], e);
                }
            }
            if (c < channels) dwte(static_cast<std::size_t>(id), c) += sum;
        }
    }
}

// A thread for each (t, c) owns the sum over the batch.
__global__ void position_gradient(DeviceTensor3<const float> dout, std::size_t start, Mask mask,
                                  DeviceMatrix<float> dwpe) {
    const std::size_t owned = dout.time * dout.channels;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < owned;
         i += step) {
        float sum = 0.0F;
        for (std::size_t b = 0; b < dout.batch; ++b) {
            const std::size_t e = b * owned + i;
            sum += mask.apply(dout.data[e], e);
        }
        dwpe(start + i / dout.channels, i % dout.channels) += sum;
    }
}

constexpr unsigned tile = 32;
constexpr unsigned strips = 8;   // of 4 channels, in a tile
constexpr unsigned together = 4; // sequences at once

// A block takes 32 rows of the table at a time, 32 channels at a time.
__global__ void logits_kernel(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                              DeviceMatrix<float> logits) {
    __shared__ float weights[tile][tile + 1];
    __shared__ float inputs[together][tile];
    __shared__ float parts[strips][together][tile];
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    const std::size_t channels = wte.cols;
    const std::size_t last = hidden.time - 1;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * tile;
    for (std::size_t v0 = static_cast<std::size_t>(blockIdx.x) * tile; v0 < wte.rows; v0 += step) {
        for (std::size_t b0 = 0; b0 < hidden.batch; b0 += together) {
            float sum[together] = {};
            for (std::size_t c0 = 0; c0 < channels; c0 += tile) {
                const std::size_t c = c0 + x;
                for (unsigned r = y; r < tile; r += strips)
                    weights[r][x] = v0 + r < wte.rows && c < channels ? wte(v0 + r, c) : 0.0F;
                if (y < together)
                    inputs[y][x] = b0 + y < hidden.batch && c < channels ? hidden(b0 + y, last, c) : 0.0F;
                __syncthreads();
                for (unsigned k = y * (tile / strips); k < (y + 1) * (tile / strips) && c0 + k < channels; ++k)
                    for (unsigned i = 0; i < together; ++i)
                        sum[i] += inputs[i][k] * weights[x][k];
                __syncthreads();
            }
            for (unsigned i = 0; i < together; ++i)
                parts[y][i][x] = sum[i];
            __syncthreads();
            if (y < together && b0 + y < hidden.batch && v0 + x < wte.rows) {
                float logit = 0.0F;
                for (unsigned s = 0; s < strips; ++s)
                    logit += parts[s][y][x];
                logits(b0 + y, v0 + x) = logit;
            }
            __syncthreads();
        }
    }
}

__global__ void pack_kernel(DeviceMatrix<const float> table, float* flat) {
    const std::size_t total = table.rows * table.cols;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < total; i += step)
        flat[i] = table(i / table.cols, i % table.cols);
}

__global__ void unpack_kernel(const float* flat, DeviceMatrix<float> table) {
    const std::size_t total = table.rows * table.cols;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < total; i += step)
        table(i / table.cols, i % table.cols) = flat[i];
}

constexpr char magic[] = "GPT2IN01";

void put(std::uint8_t* to, std::uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i)
        to[i] = static_cast<std::uint8_t>(value >> (8 * i));
}

std::uint64_t get(const std::uint8_t* from, unsigned bytes) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i)
        value |= static_cast<std::uint64_t>(from[i]) << (8 * i);
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
    const Status status = window(start, ids.cols, wpe.rows);
    if (!(status == Status{})) return status;
    if (!probability(dropout.p)) return Status{Code::invalid_argument};
    if (out.batch == 0 || out.time == 0 || out.channels == 0) return Status{};
    const std::size_t total = out.batch * out.time * out.channels;
    forward_kernel<<<blocks_for(total, 256), 256, 0, stream>>>(wte, wpe, ids, start, Mask(dropout), out);
    return Status{};
}

Status backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, std::size_t start,
                Dropout dropout, DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, cudaStream_t stream) {
    if (dwpe.cols != dwte.cols || dout.batch != ids.rows || dout.time != ids.cols ||
        dout.channels != dwte.cols)
        return Status{Code::shape_mismatch};
    const Status status = window(start, ids.cols, dwpe.rows);
    if (!(status == Status{})) return status;
    if (!probability(dropout.p)) return Status{Code::invalid_argument};
    if (dout.batch == 0 || dout.time == 0 || dout.channels == 0) return Status{};
    const Mask mask(dropout);
    token_gradient<<<blocks_for(dout.batch * dout.time, warps_of_block), 32 * warps_of_block, 0, stream>>>(
        dout, ids, mask, dwte);
    position_gradient<<<blocks_for(dout.time * dout.channels, 128), 128, 0, stream>>>(dout, start, mask, dwpe);
    return Status{};
}

Status last_logits(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                   DeviceMatrix<float> logits, cudaStream_t stream) {
    if (hidden.channels != wte.cols || logits.rows != hidden.batch || logits.cols != wte.rows)
        return Status{Code::shape_mismatch};
    if (hidden.time == 0) return Status{Code::invalid_argument};
    if (hidden.batch == 0 || wte.rows == 0) return Status{};
    logits_kernel<<<blocks_for(wte.rows, tile), dim3(tile, strips), 0, stream>>>(hidden, wte, logits);
    return Status{};
}

Status save(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, Dropout dropout,
            std::span<std::uint8_t> header, DeviceSpan<float> parameters, cudaStream_t stream) {
    const std::size_t of_wte = wte.rows * wte.cols;
    const std::size_t count = of_wte + wpe.rows * wpe.cols;
    if (wpe.cols != wte.cols || header.size() != 64 || parameters.size() != count)
        return Status{Code::shape_mismatch};
    if (!probability(dropout.p)) return Status{Code::invalid_argument};

    std::uint8_t* bytes = header.data();
    for (unsigned i = 0; i < 8; ++i)
        bytes[i] = static_cast<std::uint8_t>(magic[i]);
    put(bytes + 8, wte.rows, 8);
    put(bytes + 16, wpe.rows, 8);
    put(bytes + 24, wte.cols, 8);
    put(bytes + 32, std::bit_cast<std::uint32_t>(dropout.p), 4);
    put(bytes + 36, dropout.train ? 1 : 0, 4);
    put(bytes + 40, dropout.seed, 8);
    put(bytes + 48, dropout.offset, 8);
    put(bytes + 56, count, 8);

    if (of_wte != 0) pack_kernel<<<blocks_for(of_wte, 256), 256, 0, stream>>>(wte, parameters.data());
    if (count != of_wte)
        pack_kernel<<<blocks_for(count - of_wte, 256), 256, 0, stream>>>(wpe, parameters.data() + of_wte);
    return Status{};
}

HeaderResult read_header(std::span<const std::uint8_t> header) {
    const HeaderResult refused{Status{Code::invalid_argument}, StageState{}};
    if (header.size() != 64) return refused;
    const std::uint8_t* bytes = header.data();
    for (unsigned i = 0; i < 8; ++i)
        if (bytes[i] != static_cast<std::uint8_t>(magic[i])) return refused;

    const std::uint64_t v = get(bytes + 8, 8);
    const std::uint64_t p = get(bytes + 16, 8);
    const std::uint64_t c = get(bytes + 24, 8);
    const std::uint64_t limit = std::uint64_t{1} << 31;
    if (v >= limit || p >= limit || c >= limit) return refused; // then the products fit
    if (get(bytes + 56, 8) != v * c + p * c) return refused;

    const float drop = std::bit_cast<float>(static_cast<std::uint32_t>(get(bytes + 32, 4)));
    const std::uint64_t train = get(bytes + 36, 4);
    if (!probability(drop) || train > 1) return refused;
    return {Status{}, StageState{v, p, c, Dropout{drop, train == 1, get(bytes + 40, 8), get(bytes + 48, 8)}}};
}

Status load(DeviceSpan<const float> parameters, DeviceMatrix<float> wte, DeviceMatrix<float> wpe,
            cudaStream_t stream) {
    const std::size_t of_wte = wte.rows * wte.cols;
    if (wpe.cols != wte.cols || parameters.size() != of_wte + wpe.rows * wpe.cols)
        return Status{Code::shape_mismatch};
    const std::size_t of_wpe = parameters.size() - of_wte;
    if (of_wte != 0) unpack_kernel<<<blocks_for(of_wte, 256), 256, 0, stream>>>(parameters.data(), wte);
    if (of_wpe != 0) unpack_kernel<<<blocks_for(of_wpe, 256), 256, 0, stream>>>(parameters.data() + of_wte, wpe);
    return Status{};
}

} // namespace exercise

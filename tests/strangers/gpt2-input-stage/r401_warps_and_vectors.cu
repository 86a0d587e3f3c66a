// right: forward with float4 where a row allows it; backward in one kernel, a warp owning 128 channels of a position over all sequences (each element of dout and of the mask once, atomics for tokens only); the head with a warp for each row of the table and up to 4 sequences at once
#include "contract.h"

#include <bit>
#include <cstdint>

namespace exercise {

namespace {

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

__device__ bool vectors(const float* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0;
}

__global__ void forward_kernel(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                               DeviceMatrix<const TokenId> ids, std::size_t start, Mask mask,
                               DeviceTensor3<float> out) {
    const unsigned lane = threadIdx.x;
    const float nan = __int_as_float(0x7fc00000);
    const std::size_t channels = out.channels;
    const std::size_t places = out.batch * out.time;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * warps_of_block;
    for (std::size_t place = static_cast<std::size_t>(blockIdx.x) * warps_of_block + threadIdx.y;
         place < places; place += step) {
        const std::size_t t = place % out.time;
        const TokenId id = ids(place / out.time, t);
        const bool known = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
        const float* position = wpe.row(start + t);
        const float* token = known ? wte.row(static_cast<std::size_t>(id)) : position; // read only if known
        float* to = out.data + place * channels;
        const std::size_t e = place * channels;

        const std::size_t quads = vectors(position) && vectors(token) && vectors(to) ? channels / 4 : 0;
        for (std::size_t q = lane; q < quads; q += 32) {
            float4 s = make_float4(nan, nan, nan, nan);
            if (known) s = reinterpret_cast<const float4*>(token)[q];
            const float4 p = reinterpret_cast<const float4*>(position)[q];
            const std::size_t i = e + 4 * q;
            reinterpret_cast<float4*>(to)[q] = make_float4(mask.apply(s.x + p.x, i), mask.apply(s.y + p.y, i + 1),
                                                           mask.apply(s.z + p.z, i + 2),
                                                           mask.apply(s.w + p.w, i + 3));
        }
        for (std::size_t c = 4 * quads + lane; c < channels; c += 32)
            to[c] = mask.apply((known ? token[c] : nan) + position[c], e + c);
    }
}

constexpr unsigned per_lane = 4;
constexpr std::size_t piece = 32 * per_lane;

__global__ void backward_kernel(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                                std::size_t start, Mask mask, DeviceMatrix<float> dwte,
                                DeviceMatrix<float> dwpe) {
    const std::size_t channels = dout.channels;
    const std::size_t pieces = (channels + piece - 1) / piece;
    const std::size_t items = dout.time * pieces;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * warps_of_block;
    for (std::size_t item = static_cast<std::size_t>(blockIdx.x) * warps_of_block + threadIdx.y; item < items;
         item += step) {
        const std::size_t t = item / pieces;
        const std::size_t c0 = item % pieces * piece + threadIdx.x;
        float sum[per_lane] = {};
        for (std::size_t b = 0; b < dout.batch; ++b) {
            const TokenId id = ids(b, t);
            const bool known = id >= 0 && static_cast<std::size_t>(id) < dwte.rows;
            const std::size_t first = (b * dout.time + t) * channels;
#pragma unroll
            for (unsigned k = 0; k < per_lane; ++k) {
                const std::size_t c = c0 + k * 32;
                if (c >= channels) break;
                const float g = mask.apply(dout.data[first + c], first + c);
                sum[k] += g;
                if (known) atomicAdd(&dwte(static_cast<std::size_t>(id), c), g);
            }
        }
#pragma unroll
        for (unsigned k = 0; k < per_lane; ++k)
            if (c0 + k * 32 < channels) dwpe(start + t, c0 + k * 32) += sum[k];
    }
}

constexpr unsigned together = 4; // sequences that share one reading of the table

// A warp for each row of the table. Its lanes all reach the shuffles, with a channel or without.
__global__ void logits_kernel(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                              DeviceMatrix<float> logits) {
    const unsigned lane = threadIdx.x;
    const std::size_t last = hidden.time - 1;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * warps_of_block;
    for (std::size_t v = static_cast<std::size_t>(blockIdx.x) * warps_of_block + threadIdx.y; v < wte.rows;
         v += step) {
        const float* row = wte.row(v);
        for (std::size_t b0 = 0; b0 < hidden.batch; b0 += together) {
            float sum[together] = {};
            for (std::size_t c = lane; c < wte.cols; c += 32) {
                const float weight = row[c];
#pragma unroll
                for (unsigned k = 0; k < together; ++k)
                    if (b0 + k < hidden.batch) sum[k] += hidden(b0 + k, last, c) * weight;
            }
#pragma unroll
            for (unsigned k = 0; k < together; ++k) {
                for (int distance = 16; distance > 0; distance /= 2)
                    sum[k] += __shfl_down_sync(0xffffffffu, sum[k], distance);
                if (lane == 0 && b0 + k < hidden.batch) logits(b0 + k, v) = sum[k];
            }
        }
    }
}

// Rows of a table to rows without padding, or back: a warp for each.
__global__ void copy_rows(const float* from, std::size_t from_stride, float* to, std::size_t to_stride,
                          std::size_t rows, std::size_t cols) {
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * warps_of_block;
    for (std::size_t r = static_cast<std::size_t>(blockIdx.x) * warps_of_block + threadIdx.y; r < rows;
         r += step)
        for (std::size_t c = threadIdx.x; c < cols; c += 32)
            to[r * to_stride + c] = from[r * from_stride + c];
}

void launch_copy(const float* from, std::size_t from_stride, float* to, std::size_t to_stride, std::size_t rows,
                 std::size_t cols, cudaStream_t stream) {
    if (rows == 0 || cols == 0) return;
    copy_rows<<<blocks_for(rows, warps_of_block), dim3(32, warps_of_block), 0, stream>>>(from, from_stride, to,
                                                                                         to_stride, rows, cols);
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
    forward_kernel<<<blocks_for(out.batch * out.time, warps_of_block), dim3(32, warps_of_block), 0, stream>>>(
        wte, wpe, ids, start, Mask(dropout), out);
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
    const std::size_t items = dout.time * ((dout.channels + piece - 1) / piece);
    backward_kernel<<<blocks_for(items, warps_of_block), dim3(32, warps_of_block), 0, stream>>>(
        dout, ids, start, Mask(dropout), dwte, dwpe);
    return Status{};
}

Status last_logits(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                   DeviceMatrix<float> logits, cudaStream_t stream) {
    if (hidden.channels != wte.cols || logits.rows != hidden.batch || logits.cols != wte.rows)
        return Status{Code::shape_mismatch};
    if (hidden.time == 0) return Status{Code::invalid_argument};
    if (hidden.batch == 0 || wte.rows == 0) return Status{};
    logits_kernel<<<blocks_for(wte.rows, warps_of_block), dim3(32, warps_of_block), 0, stream>>>(hidden, wte,
                                                                                                 logits);
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

    const std::size_t c = wte.cols;
    launch_copy(wte.data, wte.stride, parameters.data(), c, wte.rows, c, stream);
    launch_copy(wpe.data, wpe.stride, parameters.data() + of_wte, c, wpe.rows, c, stream);
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
    const std::size_t c = wte.cols;
    launch_copy(parameters.data(), c, wte.data, wte.stride, wte.rows, c, stream);
    launch_copy(parameters.data() + of_wte, c, wpe.data, wpe.stride, wpe.rows, c, stream);
    return Status{};
}

} // namespace exercise

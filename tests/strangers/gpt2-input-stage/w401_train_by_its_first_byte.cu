// wrong: read_header looks at byte 36 alone for train, which is a number of 32 bits in bytes 36 to 39; a header with 0 or 1 in byte 36 and anything else than 0 in bytes 37 to 39 (train = 256, say) is accepted instead of refused with Code::invalid_argument; a right one reads all four bytes
#include "contract.h"

#include <bit>
#include <cstring>

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

// A warp for each token.
__global__ void forward_kernel(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                               DeviceMatrix<const TokenId> ids, std::size_t start, Mask mask,
                               DeviceTensor3<float> out) {
    const std::size_t places = out.batch * out.time;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * warps_of_block;
    for (std::size_t place = static_cast<std::size_t>(blockIdx.x) * warps_of_block + threadIdx.y;
         place < places; place += step) {
        const std::size_t b = place / out.time;
        const std::size_t t = place % out.time;
        const TokenId id = ids(b, t);
        const bool known = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
        for (std::size_t c = threadIdx.x; c < out.channels; c += 32) {
            const float token = known ? wte(static_cast<std::size_t>(id), c) : __int_as_float(0x7fc00000);
            out(b, t, c) = mask.apply(token + wpe(start + t, c), place * out.channels + c);
        }
    }
}

// A warp for each token: tokens that are equal meet in the atomics.
__global__ void token_gradient(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, Mask mask,
                               DeviceMatrix<float> dwte) {
    const std::size_t places = dout.batch * dout.time;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * warps_of_block;
    for (std::size_t place = static_cast<std::size_t>(blockIdx.x) * warps_of_block + threadIdx.y;
         place < places; place += step) {
        const TokenId id = ids(place / dout.time, place % dout.time);
        if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows) continue;
        for (std::size_t c = threadIdx.x; c < dout.channels; c += 32) {
            const std::size_t e = place * dout.channels + c;
            atomicAdd(&dwte(static_cast<std::size_t>(id), c), mask.apply(dout.data[e], e));
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

// The machine is little-endian, as the format is.
template <class T>
void put(std::uint8_t* to, T value) {
    static_assert(std::endian::native == std::endian::little);
    std::memcpy(to, &value, sizeof value);
}

template <class T>
T get(const std::uint8_t* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
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
    const Mask mask(dropout);
    token_gradient<<<blocks_for(dout.batch * dout.time, warps_of_block), dim3(32, warps_of_block), 0, stream>>>(
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
    logits_kernel<<<blocks_for(wte.rows, warps_of_block), dim3(32, warps_of_block), 0, stream>>>(hidden, wte,
                                                                                                 logits);
    return Status{};
}

Status save(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, Dropout dropout,
            std::span<std::uint8_t> header, DeviceSpan<float> parameters, cudaStream_t stream) {
    const std::uint64_t of_wte = wte.rows * wte.cols;
    const std::uint64_t count = of_wte + wpe.rows * wpe.cols;
    if (wpe.cols != wte.cols || header.size() != 64 || parameters.size() != count)
        return Status{Code::shape_mismatch};
    if (!probability(dropout.p)) return Status{Code::invalid_argument};

    std::uint8_t* bytes = header.data();
    std::memcpy(bytes, "GPT2IN01", 8);
    put<std::uint64_t>(bytes + 8, wte.rows);
    put<std::uint64_t>(bytes + 16, wpe.rows);
    put<std::uint64_t>(bytes + 24, wte.cols);
    put<float>(bytes + 32, dropout.p);
    put<std::uint32_t>(bytes + 36, dropout.train ? 1 : 0);
    put<std::uint64_t>(bytes + 40, dropout.seed);
    put<std::uint64_t>(bytes + 48, dropout.offset);
    put<std::uint64_t>(bytes + 56, count);

    const std::size_t c = wte.cols;
    launch_copy(wte.data, wte.stride, parameters.data(), c, wte.rows, c, stream);
    launch_copy(wpe.data, wpe.stride, parameters.data() + of_wte, c, wpe.rows, c, stream);
    return Status{};
}

HeaderResult read_header(std::span<const std::uint8_t> header) {
    HeaderResult refused;
    refused.status.code = Code::invalid_argument;
    if (header.size() != 64 || std::memcmp(header.data(), "GPT2IN01", 8) != 0) return refused;

    const std::uint8_t* bytes = header.data();
    HeaderResult result;
    StageState& state = result.state;
    state.vocabulary = get<std::uint64_t>(bytes + 8);
    state.positions = get<std::uint64_t>(bytes + 16);
    state.channels = get<std::uint64_t>(bytes + 24);
    constexpr std::uint64_t limit = 1ull << 31;
    if (state.vocabulary >= limit || state.positions >= limit || state.channels >= limit) return refused;
    const std::uint64_t count = state.vocabulary * state.channels + state.positions * state.channels;
    if (get<std::uint64_t>(bytes + 56) != count) return refused;

    state.dropout.p = get<float>(bytes + 32);
    if (!probability(state.dropout.p)) return refused;
    const std::uint8_t train = bytes[36];
    if (train != 0 && train != 1) return refused;
    state.dropout.train = train == 1;
    state.dropout.seed = get<std::uint64_t>(bytes + 40);
    state.dropout.offset = get<std::uint64_t>(bytes + 48);
    return result;
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

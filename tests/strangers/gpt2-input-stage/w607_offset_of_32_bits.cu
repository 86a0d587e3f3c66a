// wrong: backward passes seed and offset on to its kernel as numbers and takes the offset as an unsigned of 32 bits, so for an offset of 2^32 or more in training it drops other elements than forward; a right one keeps all 64 bits
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace exercise {
namespace {

__device__ __forceinline__ bool keeps(Dropout d, std::uint64_t e) {
    std::uint64_t z = d.seed + (d.offset + e + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z = (z ^ (z >> 31)) >> 12;
    return !d.train || (static_cast<double>(z) + 0.5) * 0x1p-52 >= static_cast<double>(d.p);
}

/// A product that is rounded before anything is added to it.
__device__ __forceinline__ float rounded_product(float a, float b) {
#if defined(__CUDA_ARCH__)
    return __fmul_rn(a, b);
#else
    return a * b;
#endif
}

bool probability(float p) {
    return p >= 0.0F && p <= 1.0F;
}

float scale_of(const Dropout& d) {
    return d.train ? 1.0F / (1.0F - d.p) : 1.0F;
}

unsigned blocks_for(std::size_t threads, std::size_t block) {
    return static_cast<unsigned>(std::min<std::size_t>((threads + block - 1) / block, 8'192));
}

/// What forward and backward have in common.
Status check(std::size_t token_cols, std::size_t position_cols, std::size_t P, DeviceMatrix<const TokenId> ids,
             std::size_t start, float p, std::size_t batch, std::size_t time, std::size_t channels) {
    if (position_cols != token_cols || batch != ids.rows || time != ids.cols || channels != token_cols)
        return Status{Code::shape_mismatch};
    if (start > P || ids.cols > P - start) {
        const std::size_t first = std::max(start, P);
        return Status::position_out_of_range(first - start, static_cast<std::int64_t>(first), P);
    }
    if (!probability(p)) return Status{Code::invalid_argument};
    return Status{};
}

/// One block for each position: its row is read again and again while the batch goes by.
__global__ void forward_kernel(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                               DeviceMatrix<const TokenId> ids, std::size_t start, Dropout d, float f,
                               DeviceTensor3<float> out) {
    for (std::size_t t = blockIdx.x; t < out.time; t += gridDim.x)
        for (std::size_t b = 0; b < out.batch; ++b) {
            const TokenId id = ids(b, t);
            const bool known = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
            const std::uint64_t first = (static_cast<std::uint64_t>(b) * out.time + t) * out.channels;
            for (std::size_t c = threadIdx.x; c < out.channels; c += blockDim.x) {
                const float sum = known ? wte(static_cast<std::size_t>(id), c) + wpe(start + t, c) : NAN;
                out(b, t, c) = keeps(d, first + c) ? sum * f : 0.0F;
            }
        }
}

/// A float addition that nobody interrupts, tiny numbers included.
__device__ void add_to(float* address, float value) {
    unsigned* bits = reinterpret_cast<unsigned*>(address);
    unsigned seen = atomicCAS(bits, 0U, 0U); // reads
    for (;;) {
        float sum;
        std::memcpy(&sum, &seen, sizeof sum);
        sum += value;
        unsigned wanted;
        std::memcpy(&wanted, &sum, sizeof wanted);
        const unsigned before = atomicCAS(bits, seen, wanted);
        if (before == seen) return;
        seen = before;
    }
}

/// A thread owns an element of dwpe. On its way through the batch it hands each gradient to dwte, too.
__global__ void backward_kernel(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, std::size_t start,
                                float p, bool train, std::uint64_t seed, unsigned offset, float f,
                                DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe) {
    Dropout d;
    d.p = p;
    d.train = train;
    d.seed = seed;
    d.offset = offset;
    const std::size_t T = dout.time, C = dout.channels;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < T * C; i += step) {
        const std::size_t t = i / C, c = i % C;
        float sum = 0.0F;
        for (std::size_t b = 0; b < dout.batch; ++b) {
            const std::uint64_t e = (static_cast<std::uint64_t>(b) * T + t) * C + c;
            if (!keeps(d, e)) continue;
            const float g = rounded_product(dout.data[e], f);
            sum += g;
            const TokenId id = ids(b, t);
            if (id >= 0 && static_cast<std::size_t>(id) < dwte.rows)
                add_to(dwte.row(static_cast<std::size_t>(id)) + c, g);
        }
        dwpe(start + t, c) += sum;
    }
}

/// Half a warp for each logit: exchanges over 8, 4, 2 and 1 lanes stay within the half.
__global__ void logits_kernel(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                              DeviceMatrix<float> logits) {
    const unsigned lane = threadIdx.x % 16;
    const std::size_t pairs = logits.rows * logits.cols;
    const std::size_t warps = static_cast<std::size_t>(gridDim.x) * (blockDim.x / 32);
    for (std::size_t w = static_cast<std::size_t>(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32; 2 * w < pairs;
         w += warps) {
        const std::size_t i = 2 * w + threadIdx.x % 32 / 16;
        float sum = 0.0F;
        if (i < pairs) {
            const float* h = hidden.row(i / logits.cols, hidden.time - 1);
            const float* row = wte.row(i % logits.cols);
            for (std::size_t c = lane; c < wte.cols; c += 16)
                sum += h[c] * row[c];
        }
        sum += __shfl_xor_sync(0xFFFFFFFFU, sum, 8);
        sum += __shfl_xor_sync(0xFFFFFFFFU, sum, 4);
        sum += __shfl_xor_sync(0xFFFFFFFFU, sum, 2);
        sum += __shfl_xor_sync(0xFFFFFFFFU, sum, 1);
        if (lane == 0 && i < pairs) logits(i / logits.cols, i % logits.cols) = sum;
    }
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

template <class T>
__global__ void copy_kernel(const T* from, std::size_t from_stride, T* to, std::size_t to_stride, std::size_t rows,
                            std::size_t cols) {
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < rows * cols; i += step) {
        const std::size_t r = i / cols, c = i % cols;
        to[r * to_stride + c] = from[r * from_stride + c];
    }
}

void copy_rows(const float* from, std::size_t from_stride, float* to, std::size_t to_stride, std::size_t rows,
               std::size_t cols, cudaStream_t stream) {
    if (rows == 0 || cols == 0) return;
    copy_kernel<float><<<blocks_for(rows * cols, 256), 256, 0, stream>>>(from, from_stride, to, to_stride, rows, cols);
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
    const Status status = check(wte.cols, wpe.cols, wpe.rows, ids, start, dropout.p, out.batch, out.time, out.channels);
    if (status.code != Code::ok) return status;
    if (ids.rows == 0 || ids.cols == 0 || wte.cols == 0) return status;
    forward_kernel<<<blocks_for(ids.cols, 1), 128, 0, stream>>>(wte, wpe, ids, start, dropout, scale_of(dropout), out);
    return status;
}

Status backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, std::size_t start,
                Dropout dropout, DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, cudaStream_t stream) {
    const Status status =
        check(dwte.cols, dwpe.cols, dwpe.rows, ids, start, dropout.p, dout.batch, dout.time, dout.channels);
    if (status.code != Code::ok) return status;
    if (ids.rows == 0 || ids.cols == 0 || dwte.cols == 0) return status;
    backward_kernel<<<blocks_for(ids.cols * dwte.cols, 128), 128, 0, stream>>>(
        dout, ids, start, dropout.p, dropout.train, dropout.seed, static_cast<unsigned>(dropout.offset),
        scale_of(dropout), dwte, dwpe);
    return status;
}

Status last_logits(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                   DeviceMatrix<float> logits, cudaStream_t stream) {
    if (hidden.channels != wte.cols || logits.rows != hidden.batch || logits.cols != wte.rows)
        return Status{Code::shape_mismatch};
    if (hidden.time == 0) return Status{Code::invalid_argument};
    if (logits.rows == 0 || logits.cols == 0) return Status{};
    logits_kernel<<<blocks_for((logits.rows * logits.cols + 1) / 2, 4), 128, 0, stream>>>(hidden, wte, logits);
    return Status{};
}

Status save(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, Dropout dropout,
            std::span<std::uint8_t> header, DeviceSpan<float> parameters, cudaStream_t stream) {
    if (wpe.cols != wte.cols || header.size() != 64 || parameters.size() != wte.rows * wte.cols + wpe.rows * wpe.cols)
        return Status{Code::shape_mismatch};
    if (!probability(dropout.p)) return Status{Code::invalid_argument};
    std::memcpy(header.data(), letters, 8);
    put(&header[8], wte.rows, 8);
    put(&header[16], wpe.rows, 8);
    put(&header[24], wte.cols, 8);
    std::uint32_t bits;
    std::memcpy(&bits, &dropout.p, 4);
    put(&header[32], bits, 4);
    put(&header[36], dropout.train ? 1 : 0, 4);
    put(&header[40], dropout.seed, 8);
    put(&header[48], dropout.offset, 8);
    put(&header[56], parameters.size(), 8);
    const std::size_t C = wte.cols;
    copy_rows(wte.data, wte.stride, parameters.data(), C, wte.rows, C, stream);
    copy_rows(wpe.data, wpe.stride, parameters.data() + wte.rows * C, C, wpe.rows, C, stream);
    return Status{};
}

HeaderResult read_header(std::span<const std::uint8_t> header) {
    HeaderResult refused;
    refused.status = Status{Code::invalid_argument};
    if (header.size() != 64 || std::memcmp(header.data(), letters, 8) != 0) return refused;
    HeaderResult result;
    StageState& state = result.state;
    constexpr std::uint64_t limit = std::uint64_t(1) << 31;
    const std::uint64_t V = get(&header[8], 8), P = get(&header[16], 8), C = get(&header[24], 8);
    if (V >= limit || P >= limit || C >= limit) return refused;
    if (get(&header[56], 8) != V * C + P * C) return refused;
    const std::uint32_t bits = static_cast<std::uint32_t>(get(&header[32], 4));
    std::memcpy(&state.dropout.p, &bits, 4);
    if (!probability(state.dropout.p)) return refused;
    const std::uint64_t train = get(&header[36], 4);
    if (train > 1) return refused;
    state.vocabulary = V;
    state.positions = P;
    state.channels = C;
    state.dropout.train = train == 1;
    state.dropout.seed = get(&header[40], 8);
    state.dropout.offset = get(&header[48], 8);
    return result;
}

Status load(DeviceSpan<const float> parameters, DeviceMatrix<float> wte, DeviceMatrix<float> wpe,
            cudaStream_t stream) {
    const std::size_t C = wte.cols;
    if (wpe.cols != C || parameters.size() != wte.rows * C + wpe.rows * C) return Status{Code::shape_mismatch};
    copy_rows(parameters.data(), C, wte.data, wte.stride, wte.rows, C, stream);
    copy_rows(parameters.data() + wte.rows * C, C, wpe.data, wpe.stride, wpe.rows, C, stream);
    return Status{};
}

} // namespace exercise

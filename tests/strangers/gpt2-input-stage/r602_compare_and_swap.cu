// right: one kernel for the whole of backward, adding to dwte by compare and swap; logits from tiles in shared memory; one launch for both tables of a checkpoint
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

__global__ void forward_kernel(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                               DeviceMatrix<const TokenId> ids, std::size_t start, Dropout d, float f,
                               DeviceTensor3<float> out) {
    const std::size_t count = out.batch * out.time * out.channels;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t e = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; e < count; e += step) {
        const std::size_t c = e % out.channels, n = e / out.channels;
        const TokenId id = ids(n / out.time, n % out.time);
        const bool known = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
        const float token = known ? wte.row(static_cast<std::size_t>(id))[c] : NAN;
        const float sum = token + wpe(start + n % out.time, c);
        out.data[e] = keeps(d, e) ? sum * f : 0.0F;
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
                                Dropout d, float f, DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe) {
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

/// A block has 32 rows of the table. All its threads read tiles of 32 x 32, and a thread for each row adds up.
__global__ void logits_kernel(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                              DeviceMatrix<float> logits) {
    __shared__ float tile[32][33];
    __shared__ float piece[32];
    const unsigned x = threadIdx.x % 32, y = threadIdx.x / 32;
    const std::size_t groups = (wte.rows + 31) / 32;
    for (std::size_t i = blockIdx.x; i < groups * logits.rows; i += gridDim.x) {
        const std::size_t b = i / groups, v = i % groups * 32;
        double sum = 0;
        for (std::size_t left = 0; left < wte.cols; left += 32) {
            const bool inside = left + x < wte.cols;
            for (unsigned r = y; r < 32; r += blockDim.x / 32)
                tile[r][x] = inside && v + r < wte.rows ? wte(v + r, left + x) : 0.0F;
            if (y == 0) piece[x] = inside ? hidden(b, hidden.time - 1, left + x) : 0.0F;
            __syncthreads();
            if (y == 0)
                for (unsigned c = 0; c < 32 && left + c < wte.cols; ++c)
                    sum += static_cast<double>(tile[x][c]) * static_cast<double>(piece[c]);
            __syncthreads();
        }
        if (y == 0 && v + x < wte.rows) logits(b, v + x) = static_cast<float>(sum);
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

/// Element i of a checkpoint in one of the two tables.
template <class T>
__device__ __forceinline__ T* place(DeviceMatrix<T> wte, DeviceMatrix<T> wpe, std::size_t i) {
    const std::size_t r = i / wte.cols, c = i % wte.cols;
    return r < wte.rows ? wte.row(r) + c : wpe.row(r - wte.rows) + c;
}

__global__ void save_kernel(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceSpan<float> to) {
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < to.size(); i += step)
        to[i] = *place(wte, wpe, i);
}

__global__ void load_kernel(DeviceSpan<const float> from, DeviceMatrix<float> wte, DeviceMatrix<float> wpe) {
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < from.size(); i += step)
        *place(wte, wpe, i) = from[i];
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
    forward_kernel<<<blocks_for(ids.rows * ids.cols * wte.cols, 256), 256, 0, stream>>>(
        wte, wpe, ids, start, dropout, scale_of(dropout), out);
    return status;
}

Status backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, std::size_t start,
                Dropout dropout, DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, cudaStream_t stream) {
    const Status status =
        check(dwte.cols, dwpe.cols, dwpe.rows, ids, start, dropout.p, dout.batch, dout.time, dout.channels);
    if (status.code != Code::ok) return status;
    if (ids.rows == 0 || ids.cols == 0 || dwte.cols == 0) return status;
    backward_kernel<<<blocks_for(ids.cols * dwte.cols, 128), 128, 0, stream>>>(dout, ids, start, dropout,
                                                                               scale_of(dropout), dwte, dwpe);
    return status;
}

Status last_logits(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                   DeviceMatrix<float> logits, cudaStream_t stream) {
    if (hidden.channels != wte.cols || logits.rows != hidden.batch || logits.cols != wte.rows)
        return Status{Code::shape_mismatch};
    if (hidden.time == 0) return Status{Code::invalid_argument};
    if (logits.rows == 0 || logits.cols == 0) return Status{};
    logits_kernel<<<blocks_for((wte.rows + 31) / 32 * logits.rows, 1), 128, 0, stream>>>(hidden, wte, logits);
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
    if (!parameters.empty())
        save_kernel<<<blocks_for(parameters.size(), 256), 256, 0, stream>>>(wte, wpe, parameters);
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
    if (!parameters.empty())
        load_kernel<<<blocks_for(parameters.size(), 256), 256, 0, stream>>>(parameters, wte, wpe);
    return Status{};
}

} // namespace exercise

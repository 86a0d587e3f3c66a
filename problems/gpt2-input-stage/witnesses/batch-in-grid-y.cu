// Fault: last_logits has the batch along the y axis of its grid, which ends at 65,535.
// Origin: round 11
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

/// The gradient of the sum at element e.
__device__ __forceinline__ float gradient(DeviceTensor3<const float> dout, std::uint64_t e, Dropout d, float f) {
    return keeps(d, e) ? rounded_product(dout.data[e], f) : 0.0F;
}

/// The place of id in the counts: bad ids share one more, at the end.
__device__ __forceinline__ std::size_t bin(TokenId id, std::size_t V) {
    return id >= 0 && static_cast<std::size_t>(id) < V ? static_cast<std::size_t>(id) : V;
}

__global__ void zero_kernel(unsigned long long* counts, std::size_t bins) {
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < bins; i += step)
        counts[i] = 0;
}

__global__ void count_kernel(DeviceMatrix<const TokenId> ids, std::size_t V, unsigned long long* counts) {
    const std::size_t N = ids.rows * ids.cols, step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t n = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; n < N; n += step)
        atomicAdd(&counts[bin(ids(n / ids.cols, n % ids.cols), V)], 1ULL);
}

/// One block turns counts into the first slot of each bin, written to both arrays.
__global__ void scan_kernel(unsigned long long* counts, unsigned long long* firsts, std::size_t bins) {
    __shared__ unsigned long long totals[256];
    const std::size_t share = (bins + 255) / 256;
    const std::size_t begin = threadIdx.x * share < bins ? threadIdx.x * share : bins;
    const std::size_t end = begin + share < bins ? begin + share : bins;
    unsigned long long total = 0;
    for (std::size_t i = begin; i < end; ++i)
        total += counts[i];
    totals[threadIdx.x] = total;
    __syncthreads();
    unsigned long long before = 0;
    for (unsigned k = 0; k < threadIdx.x; ++k)
        before += totals[k];
    for (std::size_t i = begin; i < end; ++i) {
        const unsigned long long here = counts[i];
        counts[i] = before;
        firsts[i] = before;
        before += here;
    }
}

__global__ void place_kernel(DeviceMatrix<const TokenId> ids, std::size_t V, unsigned long long* cursors,
                             unsigned long long* slots) {
    const std::size_t N = ids.rows * ids.cols, step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t n = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; n < N; n += step)
        slots[atomicAdd(&cursors[bin(ids(n / ids.cols, n % ids.cols), V)], 1ULL)] = n;
}

/// The first slot of a row of the table sums for all its slots; cursors now tell where they end.
__global__ void token_kernel(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                             const unsigned long long* firsts, const unsigned long long* ends,
                             const unsigned long long* slots, Dropout d, float f, DeviceMatrix<float> dwte) {
    const std::size_t N = ids.rows * ids.cols, C = dout.channels;
    const std::size_t warps = static_cast<std::size_t>(gridDim.x) * (blockDim.x / 32);
    for (std::size_t slot = static_cast<std::size_t>(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32; slot < N;
         slot += warps) {
        const std::size_t n = slots[slot];
        const std::size_t v = bin(ids(n / ids.cols, n % ids.cols), dwte.rows);
        if (v == dwte.rows || firsts[v] != slot) continue;
        const std::size_t end = ends[v];
        for (std::size_t c = threadIdx.x % 32; c < C; c += 32) {
            double sum = 0;
            for (std::size_t s = slot; s < end; ++s)
                sum += gradient(dout, slots[s] * C + c, d, f);
            dwte(v, c) = static_cast<float>(dwte(v, c) + sum);
        }
    }
}

/// A thread owns one element of dwpe and adds up the batch for it.
__global__ void position_kernel(DeviceTensor3<const float> dout, std::size_t start, Dropout d, float f,
                                DeviceMatrix<float> dwpe) {
    const std::size_t count = dout.time * dout.channels;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
        double sum = 0;
        for (std::size_t b = 0; b < dout.batch; ++b)
            sum += gradient(dout, b * count + i, d, f);
        float& to = dwpe(start + i / dout.channels, i % dout.channels);
        to = static_cast<float>(to + sum);
    }
}

__global__ void logits_kernel(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                              DeviceMatrix<float> logits) {
    const unsigned lane = threadIdx.x % 32;
    const std::size_t b = blockIdx.y;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.y;
    for (std::size_t v = static_cast<std::size_t>(blockIdx.x) * blockDim.y + threadIdx.y; v < wte.rows; v += step) {
        float sum = 0.0F;
        for (std::size_t c = lane; c < wte.cols; c += 32)
            sum += hidden(b, hidden.time - 1, c) * wte(v, c);
        for (unsigned distance = 16; distance > 0; distance /= 2)
            sum += __shfl_down_sync(0xFFFFFFFFU, sum, distance);
        if (lane == 0) logits(b, v) = sum;
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
    const std::size_t N = ids.rows * ids.cols, V = dwte.rows, bins = V + 1;
    void* memory = nullptr;
    cudaMallocAsync(&memory, (2 * bins + N) * sizeof(unsigned long long), stream);
    auto* counts = static_cast<unsigned long long*>(memory);
    auto* firsts = counts + bins;
    auto* slots = firsts + bins;
    zero_kernel<<<blocks_for(bins, 256), 256, 0, stream>>>(counts, bins);
    count_kernel<<<blocks_for(N, 256), 256, 0, stream>>>(ids, V, counts);
    scan_kernel<<<1, 256, 0, stream>>>(counts, firsts, bins);
    place_kernel<<<blocks_for(N, 256), 256, 0, stream>>>(ids, V, counts, slots);
    token_kernel<<<blocks_for(N, 4), 128, 0, stream>>>(dout, ids, firsts, counts, slots, dropout, scale_of(dropout),
                                                       dwte);
    cudaFreeAsync(memory, stream);
    position_kernel<<<blocks_for(ids.cols * dwte.cols, 256), 256, 0, stream>>>(dout, start, dropout,
                                                                               scale_of(dropout), dwpe);
    return status;
}

Status last_logits(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                   DeviceMatrix<float> logits, cudaStream_t stream) {
    if (hidden.channels != wte.cols || logits.rows != hidden.batch || logits.cols != wte.rows)
        return Status{Code::shape_mismatch};
    if (hidden.time == 0) return Status{Code::invalid_argument};
    if (logits.rows == 0 || logits.cols == 0) return Status{};
    const dim3 grid(blocks_for(wte.rows, 4), static_cast<unsigned>(hidden.batch));
    logits_kernel<<<grid, dim3(32, 4), 0, stream>>>(hidden, wte, logits);
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

// Fault: save and load use cudaMemcpy2DAsync, which rejects a pitch of 2^31 bytes or more.
// Origin: round 15
#include "contract.h"

#include <bit>
#include <cstring>

namespace exercise {
namespace {

constexpr unsigned block_size = 256;

__host__ __device__ std::uint64_t bits_at(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

struct Mask {
    std::uint64_t seed, offset;
    double p;
    float factor;
    bool drops;

    explicit Mask(Dropout d)
        : seed(d.seed), offset(d.offset), p(static_cast<double>(d.p)), factor(1.0F / (1.0F - d.p)), drops(d.train) {}

    __device__ bool keeps(std::uint64_t e) const {
        return (static_cast<double>(bits_at(seed, offset + e) >> 12) + 0.5) * 0x1p-52 >= p;
    }
};

// One product, never fused with an addition.
__device__ float times(float a, float b) {
#if defined(__CUDA_ARCH__)
    return __fmul_rn(a, b);
#else
    return a * b;
#endif
}

__device__ std::size_t thread_number() {
    return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ std::size_t thread_count() {
    return static_cast<std::size_t>(gridDim.x) * blockDim.x;
}

__device__ bool known(TokenId id, std::size_t vocabulary) {
    return id >= 0 && static_cast<std::size_t>(id) < vocabulary;
}

unsigned grid_for(std::size_t threads) {
    const std::size_t blocks = (threads + block_size - 1) / block_size;
    return static_cast<unsigned>(blocks < 65536 ? blocks : 65536);
}

bool bad_probability(float p) {
    return !(p >= 0.0F && p <= 1.0F);
}

// What forward and backward refuse.
Status check(std::size_t token_cols, DeviceMatrix<const TokenId> ids, std::size_t positions,
             std::size_t position_cols, std::size_t batch, std::size_t time, std::size_t channels, std::size_t start,
             float p) {
    if (position_cols != token_cols || batch != ids.rows || time != ids.cols || channels != token_cols)
        return Status{Code::shape_mismatch};
    if (start > positions || time > positions - start) {
        const std::size_t position = start > positions ? start : positions;
        return Status::position_out_of_range(position - start, static_cast<std::int64_t>(position), positions);
    }
    if (bad_probability(p)) return Status{Code::invalid_argument};
    return Status{};
}

__global__ void forward_kernel(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                               DeviceMatrix<const TokenId> ids, std::size_t start, Mask mask, DeviceTensor3<float> out,
                               std::size_t count) {
    for (std::size_t e = thread_number(); e < count; e += thread_count()) {
        const std::size_t token = e / out.channels, c = e - token * out.channels;
        const std::size_t b = token / out.time, t = token - b * out.time;
        const TokenId id = ids(b, t);
        float x = __int_as_float(0x7FC00000);
        if (known(id, wte.rows)) x = wte(static_cast<std::size_t>(id), c);
        x = x + wpe(start + t, c);
        if (mask.drops) x = mask.keeps(e) ? times(x, mask.factor) : 0.0F;
        out.data[e] = x;
    }
}

// A thread owns (t, c): it adds up its element of dwpe over the batch, and shares those of dwte.
__global__ void backward_kernel(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, std::size_t start,
                                Mask mask, DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe) {
    const std::size_t width = dout.time * dout.channels;
    for (std::size_t k = thread_number(); k < width; k += thread_count()) {
        const std::size_t t = k / dout.channels, c = k - t * dout.channels;
        float sum = 0;
        for (std::size_t b = 0; b < dout.batch; ++b) {
            const std::size_t e = b * width + k;
            if (mask.drops && !mask.keeps(e)) continue;
            const float d = dout.data[e];
            const float g = mask.drops ? times(d, mask.factor) : d;
            const TokenId id = ids(b, t);
            if (known(id, dwte.rows)) atomicAdd(&dwte(static_cast<std::size_t>(id), c), g);
            sum += g;
        }
        dwpe(start + t, c) += sum;
    }
}

// A warp owns a row of the table and goes with it through the batch.
__global__ void logits_kernel(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                              DeviceMatrix<float> logits) {
    const unsigned lane = threadIdx.x % 32;
    const std::size_t channels = wte.cols;
    for (std::size_t v = thread_number() / 32; v < wte.rows; v += thread_count() / 32) {
        for (std::size_t b = 0; b < hidden.batch; ++b) {
            float sum = 0;
            for (std::size_t c = lane; c < channels; c += 32) sum += hidden(b, hidden.time - 1, c) * wte(v, c);
            for (unsigned step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xFFFFFFFFU, sum, step);
            if (lane == 0) logits(b, v) = sum;
        }
    }
}

void pack_table(DeviceMatrix<const float> table, float* to, cudaStream_t stream) {
    const std::size_t count = table.rows * table.cols;
    const std::size_t row = table.cols * sizeof(float);
    if (count > 0)
        cudaMemcpy2DAsync(to, row, table.data, table.stride * sizeof(float), row, table.rows,
                          cudaMemcpyDeviceToDevice, stream);
}

void unpack_table(const float* from, DeviceMatrix<float> table, cudaStream_t stream) {
    const std::size_t count = table.rows * table.cols;
    const std::size_t row = table.cols * sizeof(float);
    if (count > 0)
        cudaMemcpy2DAsync(table.data, table.stride * sizeof(float), from, row, row, table.rows,
                          cudaMemcpyDeviceToDevice, stream);
}

void write_number(std::uint8_t* to, std::uint64_t x, int bytes) {
    for (int i = 0; i < bytes; ++i) to[i] = static_cast<std::uint8_t>(x >> (8 * i));
}

std::uint64_t read_number(const std::uint8_t* from, int bytes) {
    std::uint64_t x = 0;
    for (int i = bytes; i-- > 0;) x = x << 8 | from[i];
    return x;
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
    const Status status =
        check(wte.cols, ids, wpe.rows, wpe.cols, out.batch, out.time, out.channels, start, dropout.p);
    if (status.code != Code::ok) return status;
    if (out.batch == 0 || out.time == 0 || out.channels == 0) return Status{};
    const std::size_t count = out.batch * out.time * out.channels;
    forward_kernel<<<grid_for(count), block_size, 0, stream>>>(wte, wpe, ids, start, Mask(dropout), out, count);
    return Status{};
}

Status backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, std::size_t start,
                Dropout dropout, DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, cudaStream_t stream) {
    const Status status =
        check(dwte.cols, ids, dwpe.rows, dwpe.cols, dout.batch, dout.time, dout.channels, start, dropout.p);
    if (status.code != Code::ok) return status;
    if (dout.batch == 0 || dout.time == 0 || dout.channels == 0) return Status{};
    backward_kernel<<<grid_for(dout.time * dout.channels), block_size, 0, stream>>>(dout, ids, start, Mask(dropout),
                                                                                    dwte, dwpe);
    return Status{};
}

Status last_logits(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                   DeviceMatrix<float> logits, cudaStream_t stream) {
    if (hidden.channels != wte.cols || logits.rows != hidden.batch || logits.cols != wte.rows)
        return Status{Code::shape_mismatch};
    if (hidden.time == 0) return Status{Code::invalid_argument};
    if (hidden.batch == 0 || wte.rows == 0) return Status{};
    const std::size_t blocks = wte.rows / (block_size / 32) + 1;
    logits_kernel<<<static_cast<unsigned>(blocks < 65536 ? blocks : 65536), block_size, 0, stream>>>(hidden, wte,
                                                                                                   logits);
    return Status{};
}

Status save(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, Dropout dropout,
            std::span<std::uint8_t> header, DeviceSpan<float> parameters, cudaStream_t stream) {
    const std::size_t split = wte.rows * wte.cols;
    if (wpe.cols != wte.cols || header.size() != 64 || parameters.size() != split + wpe.rows * wpe.cols)
        return Status{Code::shape_mismatch};
    if (bad_probability(dropout.p)) return Status{Code::invalid_argument};
    std::uint8_t* h = header.data();
    std::memcpy(h, letters, 8);
    write_number(h + 8, wte.rows, 8);
    write_number(h + 16, wpe.rows, 8);
    write_number(h + 24, wte.cols, 8);
    write_number(h + 32, std::bit_cast<std::uint32_t>(dropout.p), 4);
    write_number(h + 36, dropout.train ? 1 : 0, 4);
    write_number(h + 40, dropout.seed, 8);
    write_number(h + 48, dropout.offset, 8);
    write_number(h + 56, parameters.size(), 8);
    pack_table(wte, parameters.data(), stream);
    pack_table(wpe, parameters.data() + split, stream);
    return Status{};
}

HeaderResult read_header(std::span<const std::uint8_t> header) {
    HeaderResult refused;
    refused.status = Status{Code::invalid_argument};
    if (header.size() != 64 || std::memcmp(header.data(), letters, 8) != 0) return refused;
    const std::uint8_t* h = header.data();
    const std::uint64_t V = read_number(h + 8, 8), P = read_number(h + 16, 8), C = read_number(h + 24, 8);
    const float p = std::bit_cast<float>(static_cast<std::uint32_t>(read_number(h + 32, 4)));
    const std::uint64_t train = read_number(h + 36, 4);
    constexpr std::uint64_t limit = 1ULL << 31;
    if (V >= limit || P >= limit || C >= limit || bad_probability(p) || train > 1) return refused;
    if (read_number(h + 56, 8) != V * C + P * C) return refused;
    HeaderResult result;
    result.state.vocabulary = V;
    result.state.positions = P;
    result.state.channels = C;
    result.state.dropout.p = p;
    result.state.dropout.train = train == 1;
    result.state.dropout.seed = read_number(h + 40, 8);
    result.state.dropout.offset = read_number(h + 48, 8);
    return result;
}

Status load(DeviceSpan<const float> parameters, DeviceMatrix<float> wte, DeviceMatrix<float> wpe,
            cudaStream_t stream) {
    const std::size_t split = wte.rows * wte.cols;
    if (wpe.cols != wte.cols || parameters.size() != split + wpe.rows * wpe.cols) return Status{Code::shape_mismatch};
    unpack_table(parameters.data(), wte, stream);
    unpack_table(parameters.data() + split, wpe, stream);
    return Status{};
}

} // namespace exercise

// right: one kernel copies both tables of a checkpoint at once, the head adds in double and reads a row of the table once for four sequences, backward adds with a compare-and-swap loop
#include "contract.h"

#include <cstring>

namespace exercise {

// ---- what decides about an element ----

struct Mask {
    double p;
    float scale;
    bool train;
    std::uint64_t seed;
    std::uint64_t offset;
};

static Mask mask_of(const Dropout& dropout) {
    return {dropout.p, 1.0F / (1.0F - dropout.p), dropout.train, dropout.seed, dropout.offset};
}

static __device__ bool survives(const Mask& mask, std::uint64_t e) {
    std::uint64_t z = mask.seed + (mask.offset + e + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return (static_cast<double>(z >> 12) + 0.5) * 0x1p-52 >= mask.p;
}

static __device__ float dropped_out(const Mask& mask, std::uint64_t e, float x) {
    if (!mask.train) return x;
    return survives(mask, e) ? __fmul_rn(x, mask.scale) : 0.0F;
}

static bool is_probability(float p) {
    return p >= 0.0F && p <= 1.0F;
}

static unsigned blocks_for(std::size_t work, unsigned threads) {
    return static_cast<unsigned>((work + threads - 1) / threads);
}

static __device__ std::size_t thread_number() {
    return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

// The refusals that forward and backward share.
static Status check(std::size_t token_cols, std::size_t position_cols, std::size_t positions,
                    const DeviceMatrix<const TokenId>& ids, std::size_t batch, std::size_t time,
                    std::size_t channels, std::size_t start, const Dropout& dropout) {
    if (token_cols != channels || position_cols != channels || ids.rows != batch || ids.cols != time)
        return {Code::shape_mismatch};
    if (start > positions || time > positions - start) {
        const std::size_t p = start > positions ? start : positions;
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), positions);
    }
    if (!is_probability(dropout.p)) return {Code::invalid_argument};
    return {};
}

ParameterReport parameters(ModelSizes sizes) {
    const std::size_t c = sizes.channels;
    ParameterReport report;
    report.token_table = sizes.vocabulary * c;
    report.position_table = sizes.positions * c;
    report.block = 12 * c * c + 13 * c;
    report.final_norm = 2 * c;
    report.total =
        report.token_table + report.position_table + sizes.layers * report.block + report.final_norm;
    return report;
}

// ---- forward: a thread an element ----

static __global__ void forward_kernel(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                                      DeviceMatrix<const TokenId> ids, std::size_t start, Mask mask,
                                      DeviceTensor3<float> out) {
    const std::size_t e = thread_number();
    if (e >= out.batch * out.time * out.channels) return;
    const std::size_t c = e % out.channels;
    const std::size_t n = e / out.channels;
    const std::size_t t = n % out.time;
    const std::size_t b = n / out.time;
    const TokenId id = ids(b, t);
    const bool known = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
    const float token = known ? wte(static_cast<std::size_t>(id), c) : __int_as_float(0x7FC00000);
    out.data[e] = dropped_out(mask, e, token + wpe(start + t, c));
}

Status forward(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
               std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    const Status status =
        check(wte.cols, wpe.cols, wpe.rows, ids, out.batch, out.time, out.channels, start, dropout);
    if (status.code != Code::ok) return status;
    const std::size_t work = out.batch * out.time * out.channels;
    if (work == 0) return {};
    forward_kernel<<<blocks_for(work, 256), 256, 0, stream>>>(wte, wpe, ids, start, mask_of(dropout), out);
    return {};
}

// ---- backward: a thread owns a channel of a position and walks through the batch ----

static __device__ void add_to(float* where, float value) {
    if (value == 0.0F) return; // nothing to add
    auto* word = reinterpret_cast<unsigned*>(where);
    unsigned seen = atomicAdd(word, 0u);
    for (;;) {
        const unsigned wanted = __float_as_uint(__uint_as_float(seen) + value);
        const unsigned found = atomicCAS(word, seen, wanted);
        if (found == seen) return;
        seen = found;
    }
}

static __global__ void backward_kernel(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                                       std::size_t start, Mask mask, DeviceMatrix<float> dwte,
                                       DeviceMatrix<float> dwpe) {
    const std::size_t i = thread_number();
    if (i >= dout.time * dout.channels) return;
    const std::size_t c = i % dout.channels;
    const std::size_t t = i / dout.channels;
    float sum = 0;
    for (std::size_t b = 0; b < dout.batch; ++b) {
        const std::size_t e = (b * dout.time + t) * dout.channels + c;
        const float g = dropped_out(mask, e, dout.data[e]);
        sum += g;
        const TokenId id = ids(b, t);
        if (id >= 0 && static_cast<std::size_t>(id) < dwte.rows)
            add_to(&dwte(static_cast<std::size_t>(id), c), g);
    }
    dwpe(start + t, c) += sum;
}

Status backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, std::size_t start,
                Dropout dropout, DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, cudaStream_t stream) {
    const Status status =
        check(dwte.cols, dwpe.cols, dwpe.rows, ids, dout.batch, dout.time, dout.channels, start, dropout);
    if (status.code != Code::ok) return status;
    if (dout.batch * dout.time * dout.channels == 0) return {};
    const std::size_t work = dout.time * dout.channels;
    backward_kernel<<<blocks_for(work, 128), 128, 0, stream>>>(dout, ids, start, mask_of(dropout), dwte, dwpe);
    return {};
}

// ---- the head: a warp has a row of the table and up to four sequences at a time ----

constexpr unsigned together = 4;

static __global__ void logits_kernel(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                                     DeviceMatrix<float> logits, std::size_t groups) {
    const std::size_t warp = thread_number() / 32;
    const unsigned lane = threadIdx.x % 32;
    if (warp >= groups * logits.cols) return; // all lanes of it
    const std::size_t v = warp % logits.cols;
    const std::size_t first = warp / logits.cols * together;
    const auto count = static_cast<unsigned>(min(static_cast<std::size_t>(together), logits.rows - first));
    const std::size_t channels = wte.cols;
    const std::size_t apart = hidden.time * channels; // from a sequence to the next
    const float* w = wte.row(v);
    const float* h = hidden.row(first, hidden.time - 1);
    double sums[together] = {};
    for (std::size_t c = lane; c < channels; c += 32) {
        const double factor = w[c];
#pragma unroll
        for (unsigned k = 0; k < together; ++k)
            if (k < count) sums[k] += factor * h[k * apart + c];
    }
#pragma unroll
    for (unsigned k = 0; k < together; ++k) {
        double sum = sums[k];
        for (unsigned step = 16; step > 0; step /= 2)
            sum += __shfl_xor_sync(0xFFFFFFFFu, sum, step);
        if (lane == k && k < count) logits(first + k, v) = static_cast<float>(sum);
    }
}

Status last_logits(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                   DeviceMatrix<float> logits, cudaStream_t stream) {
    if (hidden.channels != wte.cols || logits.rows != hidden.batch || logits.cols != wte.rows)
        return {Code::shape_mismatch};
    if (hidden.time == 0) return {Code::invalid_argument};
    if (logits.rows == 0 || logits.cols == 0) return {};
    const std::size_t groups = (logits.rows + together - 1) / together;
    logits_kernel<<<blocks_for(groups * logits.cols, 8), 256, 0, stream>>>(hidden, wte, logits, groups);
    return {};
}

// ---- checkpoints: one kernel for both tables and both directions; a thread a parameter ----

template <bool pack, class T, class P>
static __global__ void copy_kernel(DeviceMatrix<T> wte, DeviceMatrix<T> wpe, P* packed, std::size_t count) {
    const std::size_t i = thread_number();
    if (i >= count) return;
    const std::size_t r = i / wte.cols;
    const std::size_t c = i % wte.cols;
    T* at = r < wte.rows ? wte.row(r) : wpe.row(r - wte.rows);
    if constexpr (pack)
        packed[i] = at[c];
    else
        at[c] = packed[i];
}

static void put(std::uint8_t* to, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i)
        to[i] = static_cast<std::uint8_t>(value >> (8 * i));
}

static std::uint64_t get(const std::uint8_t* from, int bytes) {
    std::uint64_t value = 0;
    for (int i = 0; i < bytes; ++i)
        value |= static_cast<std::uint64_t>(from[i]) << (8 * i);
    return value;
}

static const char letters[] = "GPT2IN01";

Status save(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, Dropout dropout,
            std::span<std::uint8_t> header, DeviceSpan<float> parameters, cudaStream_t stream) {
    const std::size_t count = wte.rows * wte.cols + wpe.rows * wpe.cols;
    if (wpe.cols != wte.cols || header.size() != 64 || parameters.size() != count)
        return {Code::shape_mismatch};
    if (!is_probability(dropout.p)) return {Code::invalid_argument};
    std::uint32_t bits = 0;
    std::memcpy(&bits, &dropout.p, sizeof bits);
    std::uint8_t* bytes = header.data();
    std::memcpy(bytes, letters, 8);
    put(bytes + 8, wte.rows, 8);
    put(bytes + 16, wpe.rows, 8);
    put(bytes + 24, wte.cols, 8);
    put(bytes + 32, bits, 4);
    put(bytes + 36, dropout.train ? 1 : 0, 4);
    put(bytes + 40, dropout.seed, 8);
    put(bytes + 48, dropout.offset, 8);
    put(bytes + 56, count, 8);
    if (count > 0)
        copy_kernel<true><<<blocks_for(count, 256), 256, 0, stream>>>(wte, wpe, parameters.data(), count);
    return {};
}

HeaderResult read_header(std::span<const std::uint8_t> header) {
    const HeaderResult refused = {{Code::invalid_argument}, {}};
    if (header.size() != 64 || std::memcmp(header.data(), letters, 8) != 0) return refused;
    const std::uint8_t* bytes = header.data();
    const std::uint64_t v = get(bytes + 8, 8);
    const std::uint64_t p = get(bytes + 16, 8);
    const std::uint64_t c = get(bytes + 24, 8);
    const auto bits = static_cast<std::uint32_t>(get(bytes + 32, 4));
    const std::uint64_t train = get(bytes + 36, 4);
    float probability = 0;
    std::memcpy(&probability, &bits, sizeof bits);
    const std::uint64_t limit = 1ULL << 31;
    if (v >= limit || p >= limit || c >= limit) return refused;
    if (!is_probability(probability) || train > 1) return refused;
    if (get(bytes + 56, 8) != v * c + p * c) return refused;
    HeaderResult result;
    result.state = {v, p, c, {probability, train == 1, get(bytes + 40, 8), get(bytes + 48, 8)}};
    return result;
}

Status load(DeviceSpan<const float> parameters, DeviceMatrix<float> wte, DeviceMatrix<float> wpe,
            cudaStream_t stream) {
    if (wpe.cols != wte.cols || parameters.size() != wte.rows * wte.cols + wpe.rows * wpe.cols)
        return {Code::shape_mismatch};
    const std::size_t count = parameters.size();
    if (count > 0)
        copy_kernel<false><<<blocks_for(count, 256), 256, 0, stream>>>(wte, wpe, parameters.data(), count);
    return {};
}

} // namespace exercise

// wrong: save with p outside [0, 1] or NaN, and sizes that fit, returns invalid_argument but has written the 64 bytes of header by then
#include "contract.h"

#include <bit>
#include <cstring>

namespace exercise {

namespace {

Status window(std::size_t start, std::size_t T, std::size_t P) {
    if (start <= P && T <= P - start) return Status{};
    const std::size_t p = start > P ? start : P;
    return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
}

bool probability(float p) { return p >= 0.0F && p <= 1.0F; }

unsigned blocks(std::size_t items, std::size_t in_a_block, std::size_t limit = 1u << 30) {
    const std::size_t n = (items + in_a_block - 1) / in_a_block;
    return static_cast<unsigned>(n < limit ? n : limit);
}

__device__ bool lives(const Dropout& d, std::uint64_t element) {
    std::uint64_t z = d.seed + (d.offset + element + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52 >= static_cast<double>(d.p);
}

} // namespace

ParameterReport parameters(ModelSizes sizes) {
    const std::size_t C = sizes.channels;
    ParameterReport r;
    r.token_table = sizes.vocabulary * C;
    r.position_table = sizes.positions * C;
    r.block = 12 * C * C + 13 * C;
    r.final_norm = 2 * C;
    r.total = r.token_table + r.position_table + sizes.layers * r.block + r.final_norm;
    return r;
}

namespace {

__global__ void forward_kernel(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                               DeviceMatrix<const TokenId> ids, std::size_t start, Dropout d, float f,
                               DeviceTensor3<float> out) {
    const std::size_t e = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t C = out.channels, T = out.time;
    if (e >= out.batch * T * C) return;
    const std::size_t c = e % C, t = e / C % T, b = e / C / T;
    const TokenId id = ids(b, t);
    const bool known = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
    float x = (known ? wte(static_cast<std::size_t>(id), c) : __int_as_float(0x7fc00000)) + wpe(start + t, c);
    if (d.train && d.p != 0.0F) x = lives(d, e) ? x * f : 0.0F;
    out.data[e] = x;
}

} // namespace

Status forward(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
               std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return {Code::shape_mismatch};
    if (const Status s = window(start, ids.cols, wpe.rows); s.code != Code::ok) return s;
    if (!probability(dropout.p)) return {Code::invalid_argument};
    const std::size_t count = out.batch * out.time * out.channels;
    if (count != 0)
        forward_kernel<<<blocks(count, 256), 256, 0, stream>>>(wte, wpe, ids, start, dropout,
                                                              1.0F / (1.0F - dropout.p), out);
    return {};
}

namespace {

__device__ float gradient(const DeviceTensor3<const float>& dout, const Dropout& d, float f, std::size_t e,
                          std::size_t number) {
    if (!d.train) return dout.data[e];
    return lives(d, number) ? __fmul_rn(dout.data[e], f) : 0.0F;
}

__global__ void token_gradients(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, Dropout d,
                                float f, DeviceMatrix<float> dwte) {
    const std::size_t e = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t C = dout.channels, T = dout.time;
    if (e >= dout.batch * T * C) return;
    const std::size_t n = e / C;
    const TokenId id = ids(n / T, n % T);
    if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows) return;
    atomicAdd(&dwte(static_cast<std::size_t>(id), e % C), gradient(dout, d, f, e, e));
}

__global__ void position_gradients(DeviceTensor3<const float> dout, std::size_t start, Dropout d, float f,
                                   DeviceMatrix<float> dwpe) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t C = dout.channels, T = dout.time;
    if (i >= T * C) return;
    const std::size_t t = i / C, c = i % C;
    float sum = 0.0F;
    for (std::size_t b = 0; b < dout.batch; ++b) {
        const std::size_t e = (b * T + t) * C + c;
        sum += gradient(dout, d, f, e, e);
    }
    dwpe(start + t, c) += sum;
}

} // namespace

Status backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, std::size_t start,
                Dropout dropout, DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, cudaStream_t stream) {
    if (dwpe.cols != dwte.cols || dout.batch != ids.rows || dout.time != ids.cols ||
        dout.channels != dwte.cols)
        return {Code::shape_mismatch};
    if (const Status s = window(start, ids.cols, dwpe.rows); s.code != Code::ok) return s;
    if (!probability(dropout.p)) return {Code::invalid_argument};
    const std::size_t plane = dout.time * dout.channels, count = dout.batch * plane;
    if (count == 0) return {};
    const float f = 1.0F / (1.0F - dropout.p);
    token_gradients<<<blocks(count, 256), 256, 0, stream>>>(dout, ids, dropout, f, dwte);
    position_gradients<<<blocks(plane, 256), 256, 0, stream>>>(dout, start, dropout, f, dwpe);
    return {};
}

namespace {

// Four lanes share a row; all 32 lanes of a warp stay together whatever they have to do.
__global__ void quartets(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                         DeviceMatrix<float> logits) {
    const std::size_t count = logits.rows * logits.cols;
    const std::size_t k = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / 4;
    const std::size_t b = k / logits.cols, v = k % logits.cols;
    double sum = 0.0;
    if (k < count) {
        const float* h = hidden.row(b, hidden.time - 1);
        const float* w = wte.row(v);
        for (std::size_t c = threadIdx.x % 4; c < wte.cols; c += 4)
            sum += static_cast<double>(h[c]) * static_cast<double>(w[c]);
    }
    sum += __shfl_xor_sync(0xffffffffu, sum, 2);
    sum += __shfl_xor_sync(0xffffffffu, sum, 1);
    if (k < count && threadIdx.x % 4 == 0) logits(b, v) = static_cast<float>(sum);
}

} // namespace

Status last_logits(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                   DeviceMatrix<float> logits, cudaStream_t stream) {
    if (hidden.channels != wte.cols || logits.rows != hidden.batch || logits.cols != wte.rows)
        return {Code::shape_mismatch};
    if (hidden.time == 0) return {Code::invalid_argument};
    const std::size_t count = logits.rows * logits.cols;
    if (count == 0) return {};
    quartets<<<blocks(count, 56), 224, 0, stream>>>(hidden, wte, logits);
    return {};
}

namespace {

// One kernel for both tables and both directions; numbers travel as bits.
template <bool Saving, class T, class L>
__global__ void ferry(DeviceMatrix<T> wte, DeviceMatrix<T> wpe, L* list) {
    const std::size_t C = wte.cols, count = (wte.rows + wpe.rows) * C;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
         i += std::size_t{gridDim.x} * blockDim.x) {
        const std::size_t r = i / C, c = i % C;
        T* const at = r < wte.rows ? wte.row(r) + c : wpe.row(r - wte.rows) + c;
        if constexpr (Saving)
            reinterpret_cast<unsigned*>(list)[i] = reinterpret_cast<const unsigned*>(at)[0];
        else
            reinterpret_cast<unsigned*>(at)[0] = reinterpret_cast<const unsigned*>(list)[i];
    }
}

constexpr char magic[] = "GPT2IN01";

struct Writer {
    std::uint8_t* at;
    template <class N>
    void operator()(N number) {
        for (unsigned left = sizeof(N); left != 0; --left) {
            *at++ = static_cast<std::uint8_t>(number & 255u);
            if constexpr (sizeof(N) > 1) number = static_cast<N>(number >> 8);
        }
    }
};

struct Reader {
    const std::uint8_t* end;
    // from the back
    template <class N>
    N take() {
        N number = 0;
        for (unsigned i = 0; i < sizeof(N); ++i) number = static_cast<N>(number << 8 | *--end);
        return number;
    }
};

} // namespace

Status save(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, Dropout dropout,
            std::span<std::uint8_t> header, DeviceSpan<float> parameters, cudaStream_t stream) {
    const std::size_t V = wte.rows, P = wpe.rows, C = wte.cols, total = V * C + P * C;
    if (wpe.cols != C || header.size() != 64 || parameters.size() != total) return {Code::shape_mismatch};
    Writer write{header.data()};
    for (int i = 0; i < 8; ++i) *write.at++ = static_cast<std::uint8_t>(magic[i]);
    for (const std::uint64_t size : {V, P, C}) write(size);
    std::uint32_t bits;
    std::memcpy(&bits, &dropout.p, sizeof bits);
    write(bits);
    write(static_cast<std::uint32_t>(dropout.train));
    for (const std::uint64_t number : {dropout.seed, dropout.offset, std::uint64_t{total}}) write(number);
    if (!probability(dropout.p)) return {Code::invalid_argument};
    if (total != 0)
        ferry<true><<<blocks(total, 160, 12'345), 160, 0, stream>>>(wte, wpe, parameters.data());
    return {};
}

HeaderResult read_header(std::span<const std::uint8_t> header) {
    HeaderResult result;
    result.status.code = Code::invalid_argument;
    if (header.size() != 64) return result;
    Reader read{header.data() + 64};
    const auto count = read.take<std::uint64_t>();
    StageState state;
    state.dropout.offset = read.take<std::uint64_t>();
    state.dropout.seed = read.take<std::uint64_t>();
    const auto train = read.take<std::uint32_t>();
    const auto bits = read.take<std::uint32_t>();
    std::memcpy(&state.dropout.p, &bits, sizeof bits);
    state.channels = read.take<std::uint64_t>();
    state.positions = read.take<std::uint64_t>();
    state.vocabulary = read.take<std::uint64_t>();
    for (int i = 0; i < 8; ++i)
        if (header[i] != static_cast<std::uint8_t>(magic[i])) return result;
    if ((state.vocabulary | state.positions | state.channels) >> 31 != 0) return result;
    if (!probability(state.dropout.p) || train >= 2) return result;
    if (count != (state.vocabulary + state.positions) * state.channels) return result;
    state.dropout.train = train != 0;
    return {Status{}, state};
}

Status load(DeviceSpan<const float> parameters, DeviceMatrix<float> wte, DeviceMatrix<float> wpe,
            cudaStream_t stream) {
    if (wpe.cols != wte.cols || parameters.size() != wte.rows * wte.cols + wpe.rows * wpe.cols)
        return {Code::shape_mismatch};
    if (parameters.size() != 0)
        ferry<false><<<blocks(parameters.size(), 160, 12'345), 160, 0, stream>>>(wte, wpe, parameters.data());
    return {};
}

} // namespace exercise

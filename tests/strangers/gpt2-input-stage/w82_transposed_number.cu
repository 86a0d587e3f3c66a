// wrong: the position gradients of backward number the elements (t * B + b) * C + c, so with train, p > 0, B > 1 and T > 1 dwpe gets another mask than forward used
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
    const auto [V, P, C, L] = sizes;
    const auto matrix = [](std::size_t in, std::size_t out) { return in * out + out; };
    const std::size_t norm = 2 * C;
    const std::size_t block = 2 * norm + matrix(C, 3 * C) + matrix(C, C) + matrix(C, 4 * C) + matrix(4 * C, C);
    return {V * C, P * C, block, norm, (V + P) * C + L * block + norm};
}

namespace {

// A warp for each row, the last row first.
__global__ void look_up(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                        DeviceMatrix<const TokenId> ids, std::size_t start, Dropout d, DeviceTensor3<float> out) {
    const std::size_t C = out.channels, N = out.batch * out.time;
    const std::size_t step = std::size_t{gridDim.x} * blockDim.y;
    const bool drops = d.train && d.p > 0.0F;
    const float f = 1.0F / (1.0F - d.p);
    for (std::size_t k = std::size_t{blockIdx.x} * blockDim.y + threadIdx.y; k < N; k += step) {
        const std::size_t n = N - 1 - k, b = n / out.time, t = n % out.time;
        const std::int64_t id = ids(b, t);
        const float* token = id < 0 || id >= static_cast<std::int64_t>(wte.rows) ? nullptr : wte.row(id);
        const float* place = wpe.row(start + t);
        float* to = out.row(b, t);
        for (std::size_t c = threadIdx.x; c < C; c += 32) {
            float s = token ? token[c] + place[c] : __uint_as_float(0x7fc00000u);
            if (drops) {
                if (lives(d, n * C + c))
                    s *= f;
                else
                    s = 0.0F;
            }
            to[c] = s;
        }
    }
}

} // namespace

Status forward(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
               std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    const std::size_t B = ids.rows, T = ids.cols, C = wte.cols;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C) return {Code::shape_mismatch};
    const Status where = window(start, T, wpe.rows);
    if (where != Status{}) return where;
    if (!probability(dropout.p)) return {Code::invalid_argument};
    if (B != 0 && T != 0 && C != 0)
        look_up<<<blocks(B * T, 7, 9'999), dim3(32, 7), 0, stream>>>(wte, wpe, ids, start, dropout, out);
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
        sum += gradient(dout, d, f, e, (t * dout.batch + b) * C + c);
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

// a warp for each logit
__global__ void head_kernel(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                            DeviceMatrix<float> logits) {
    const std::size_t k = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
    const unsigned lane = threadIdx.x % 32;
    if (k >= logits.rows * logits.cols) return; // whole warps
    const std::size_t b = k / logits.cols, v = k % logits.cols;
    const float* h = hidden.row(b, hidden.time - 1);
    const float* w = wte.row(v);
    float sum = 0.0F;
    for (std::size_t c = lane; c < wte.cols; c += 32) sum += h[c] * w[c];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (lane == 0) logits(b, v) = sum;
}

} // namespace

Status last_logits(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                   DeviceMatrix<float> logits, cudaStream_t stream) {
    if (hidden.channels != wte.cols || logits.rows != hidden.batch || logits.cols != wte.rows)
        return {Code::shape_mismatch};
    if (hidden.time == 0) return {Code::invalid_argument};
    const std::size_t count = logits.rows * logits.cols;
    if (count == 0) return {};
    head_kernel<<<blocks(count, 8), 256, 0, stream>>>(hidden, wte, logits);
    return {};
}

namespace {

__global__ void pack(DeviceMatrix<const float> from, float* to) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < from.rows * from.cols) to[i] = from(i / from.cols, i % from.cols);
}

__global__ void unpack(const float* from, DeviceMatrix<float> to) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < to.rows * to.cols) to(i / to.cols, i % to.cols) = from[i];
}

void put_number(std::uint8_t* to, std::uint64_t number, int bytes) {
    for (int i = 0; i < bytes; ++i) to[i] = static_cast<std::uint8_t>(number >> (8 * i));
}

std::uint64_t get_number(const std::uint8_t* from, int bytes) {
    std::uint64_t number = 0;
    for (int i = 0; i < bytes; ++i) number |= std::uint64_t{from[i]} << (8 * i);
    return number;
}

} // namespace

Status save(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, Dropout dropout,
            std::span<std::uint8_t> header, DeviceSpan<float> parameters, cudaStream_t stream) {
    const std::size_t V = wte.rows, P = wpe.rows, C = wte.cols, total = V * C + P * C;
    if (wpe.cols != C || header.size() != 64 || parameters.size() != total) return {Code::shape_mismatch};
    if (!probability(dropout.p)) return {Code::invalid_argument};
    std::uint8_t* h = header.data();
    std::memcpy(h, "GPT2IN01", 8);
    put_number(h + 8, V, 8);
    put_number(h + 16, P, 8);
    put_number(h + 24, C, 8);
    put_number(h + 32, std::bit_cast<std::uint32_t>(dropout.p), 4);
    put_number(h + 36, dropout.train ? 1 : 0, 4);
    put_number(h + 40, dropout.seed, 8);
    put_number(h + 48, dropout.offset, 8);
    put_number(h + 56, total, 8);
    if (V * C != 0) pack<<<blocks(V * C, 256), 256, 0, stream>>>(wte, parameters.data());
    if (P * C != 0) pack<<<blocks(P * C, 256), 256, 0, stream>>>(wpe, parameters.data() + V * C);
    return {};
}

HeaderResult read_header(std::span<const std::uint8_t> header) {
    const HeaderResult refused{{Code::invalid_argument}, {}};
    if (header.size() != 64) return refused;
    const std::uint8_t* h = header.data();
    if (std::memcmp(h, "GPT2IN01", 8) != 0) return refused;
    const std::uint64_t V = get_number(h + 8, 8), P = get_number(h + 16, 8), C = get_number(h + 24, 8);
    const std::uint64_t limit = std::uint64_t{1} << 31;
    if (V >= limit || P >= limit || C >= limit) return refused;
    const float p = std::bit_cast<float>(static_cast<std::uint32_t>(get_number(h + 32, 4)));
    if (!probability(p)) return refused;
    const std::uint64_t train = get_number(h + 36, 4);
    if (train > 1) return refused;
    if (get_number(h + 56, 8) != V * C + P * C) return refused;
    HeaderResult result;
    result.state.vocabulary = V;
    result.state.positions = P;
    result.state.channels = C;
    result.state.dropout.p = p;
    result.state.dropout.train = train == 1;
    result.state.dropout.seed = get_number(h + 40, 8);
    result.state.dropout.offset = get_number(h + 48, 8);
    return result;
}

Status load(DeviceSpan<const float> parameters, DeviceMatrix<float> wte, DeviceMatrix<float> wpe,
            cudaStream_t stream) {
    if (wpe.cols != wte.cols || parameters.size() != wte.rows * wte.cols + wpe.rows * wpe.cols)
        return {Code::shape_mismatch};
    const std::size_t tokens = wte.rows * wte.cols, positions = wpe.rows * wpe.cols;
    if (tokens != 0) unpack<<<blocks(tokens, 256), 256, 0, stream>>>(parameters.data(), wte);
    if (positions != 0) unpack<<<blocks(positions, 256), 256, 0, stream>>>(parameters.data() + tokens, wpe);
    return {};
}

} // namespace exercise

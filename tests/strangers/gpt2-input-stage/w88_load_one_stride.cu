// wrong: load writes the rows of wpe at the stride of wte, so where the two strides differ rows 1, 2, ... of wpe land in the wrong places
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

struct Masked {
    const float* dout;
    Dropout d;
    float f;
    __device__ float operator[](std::size_t e) const {
        if (!d.train) return dout[e];
        if (!lives(d, e)) return 0.0F;
        return __fmul_rn(dout[e], f);
    }
};

// The first place of a token adds for all of its places: nobody else touches the row.
__global__ void owners(Masked g, DeviceMatrix<const TokenId> ids, DeviceMatrix<float> dwte) {
    __shared__ int mine;
    const std::size_t T = ids.cols, N = ids.rows * T, C = dwte.cols;
    for (std::size_t n = blockIdx.x; n < N; n += gridDim.x) {
        const TokenId id = ids(n / T, n % T);
        const bool known = id >= 0 && static_cast<std::size_t>(id) < dwte.rows;
        if (threadIdx.x == 0) {
            std::size_t m = n;
            while (known && m != 0 && ids((m - 1) / T, (m - 1) % T) != id) --m;
            mine = known && m == 0;
        }
        __syncthreads();
        const int go = mine;
        __syncthreads();
        if (!go) continue;
        for (std::size_t c = threadIdx.x; c < C; c += blockDim.x) {
            float sum = g[n * C + c];
            for (std::size_t m = n + 1; m < N; ++m)
                if (ids(m / T, m % T) == id) sum += g[m * C + c];
            dwte(static_cast<std::size_t>(id), c) += sum;
        }
    }
}

__global__ void seats(Masked g, std::size_t B, std::size_t plane, std::size_t start, DeviceMatrix<float> dwpe) {
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < plane;
         i += std::size_t{gridDim.x} * blockDim.x) {
        float sum = 0.0F;
        for (std::size_t b = B; b-- > 0;) sum += g[b * plane + i];
        dwpe(start + i / dwpe.cols, i % dwpe.cols) += sum;
    }
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
    const Masked g{dout.data, dropout, 1.0F / (1.0F - dropout.p)};
    owners<<<blocks(ids.rows * ids.cols, 1, 20'000), 96, 0, stream>>>(g, ids, dwte);
    seats<<<blocks(plane, 96, 20'000), 96, 0, stream>>>(g, dout.batch, plane, start, dwpe);
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

__global__ void unpack(const float* from, float* to, std::size_t rows, std::size_t cols, std::size_t stride) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < rows * cols) to[i / cols * stride + i % cols] = from[i];
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
    const std::size_t C = wte.cols, stride = wte.stride;
    const std::size_t tokens = wte.rows * C, positions = wpe.rows * C;
    if (tokens != 0) unpack<<<blocks(tokens, 256), 256, 0, stream>>>(parameters.data(), wte.data, wte.rows, C, stride);
    if (positions != 0) 
        unpack<<<blocks(positions, 256), 256, 0, stream>>>(parameters.data() + tokens, wpe.data, wpe.rows, C,
                                                          stride);
    return {};
}

} // namespace exercise

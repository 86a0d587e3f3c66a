// right: no atomics (the first place of a token adds for all), the head in double by a tree in shared memory, one kernel that saves and loads both tables as bits, a header read from its end
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

__global__ void dots(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte, DeviceMatrix<float> logits) {
    __shared__ double part[64];
    const std::size_t count = logits.rows * logits.cols;
    for (std::size_t k = blockIdx.x; k < count; k += gridDim.x) {
        const std::size_t b = k / logits.cols, v = k % logits.cols;
        double sum = 0;
        for (std::size_t c = threadIdx.x; c < wte.cols; c += 64)
            sum += static_cast<double>(hidden(b, hidden.time - 1, c)) * static_cast<double>(wte(v, c));
        part[threadIdx.x] = sum;
        __syncthreads();
        for (unsigned half = 32; half != 0; half >>= 1) {
            if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
            __syncthreads();
        }
        if (threadIdx.x == 0) logits(b, v) = static_cast<float>(part[0]);
        __syncthreads();
    }
}

} // namespace

Status last_logits(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                   DeviceMatrix<float> logits, cudaStream_t stream) {
    if (hidden.channels != wte.cols || logits.rows != hidden.batch || logits.cols != wte.rows)
        return {Code::shape_mismatch};
    if (hidden.time == 0) return {Code::invalid_argument};
    const std::size_t count = logits.rows * logits.cols;
    if (count == 0) return {};
    dots<<<blocks(count, 1, 30'000), 64, 0, stream>>>(hidden, wte, logits);
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
    if (!probability(dropout.p)) return {Code::invalid_argument};
    Writer write{header.data()};
    for (int i = 0; i < 8; ++i) *write.at++ = static_cast<std::uint8_t>(magic[i]);
    for (const std::uint64_t size : {V, P, C}) write(size);
    std::uint32_t bits;
    std::memcpy(&bits, &dropout.p, sizeof bits);
    write(bits);
    write(static_cast<std::uint32_t>(dropout.train));
    for (const std::uint64_t number : {dropout.seed, dropout.offset, std::uint64_t{total}}) write(number);
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

// Fault: parameters counts in double, which rounds numbers above 2^53.
// Origin: round 14
#include "contract.h"

#include <bit>
#include <cstring>

namespace exercise {

namespace {

__device__ __forceinline__ bool survives(const Dropout& dropout, std::uint64_t e) {
    std::uint64_t z = dropout.seed + (dropout.offset + e + 1) * 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    z = (z ^ (z >> 31)) >> 12;
    return (static_cast<double>(z) + 0.5) * 0x1p-52 >= static_cast<double>(dropout.p);
}

bool is_probability(float p) {
    return p >= 0.0F && p <= 1.0F; // false for a NaN
}

/// What the mask does to a value, the same in both directions.
struct Mask {
    Dropout dropout;
    float factor; ///< of the survivors
    bool drops;   ///< whether anything can be dropped

    explicit Mask(const Dropout& d)
        : dropout(d), factor(1.0F / (1.0F - d.p)), drops(d.train && d.p > 0.0F) {}

    __device__ __forceinline__ float apply(float value, std::uint64_t e) const {
        if (!drops) return value;
        return survives(dropout, e) ? value * factor : 0.0F;
    }
};

unsigned blocks_for(std::size_t threads_wanted, unsigned threads = 256) {
    const std::size_t most = std::size_t{1} << 20;
    const std::size_t blocks = (threads_wanted - 1) / threads + 1;
    return static_cast<unsigned>(blocks < most ? blocks : most);
}

__device__ __forceinline__ std::size_t first_of_thread() {
    return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
}

__device__ __forceinline__ std::size_t threads_of_grid() {
    return std::size_t{gridDim.x} * blockDim.x;
}

__device__ __forceinline__ bool is_known(TokenId id, std::size_t V) {
    return id >= 0 && static_cast<std::size_t>(id) < V;
}

/// One thread an element of `out`.
__global__ void forward_kernel(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                               DeviceMatrix<const TokenId> ids, std::size_t start, Mask mask,
                               DeviceTensor3<float> out) {
    const std::size_t C = out.channels;
    const std::size_t total = out.batch * out.time * C;
    for (std::size_t e = first_of_thread(); e < total; e += threads_of_grid()) {
        const std::size_t row = e / C;
        const std::size_t c = e - row * C;
        const std::size_t b = row / out.time;
        const std::size_t t = row - b * out.time;
        const TokenId id = ids(b, t);
        const float token = is_known(id, wte.rows) ? wte(static_cast<std::size_t>(id), c) : __int_as_float(0x7fc00000);
        out.data[e] = mask.apply(token + wpe(start + t, c), e);
    }
}

/// One thread owns an element of dwpe, walks the batch, and hands each g on to dwte, where rows meet.
__global__ void backward_kernel(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                                std::size_t start, Mask mask, DeviceMatrix<float> dwte,
                                DeviceMatrix<float> dwpe) {
    const std::size_t C = dout.channels;
    const std::size_t plane = dout.time * C;
    for (std::size_t q = first_of_thread(); q < plane; q += threads_of_grid()) {
        const std::size_t t = q / C;
        const std::size_t c = q - t * C;
        double sum = 0;
        for (std::size_t b = 0; b < dout.batch; ++b) {
            const std::size_t e = b * plane + q;
            const float g = mask.apply(dout.data[e], e);
            const TokenId id = ids(b, t);
            if (is_known(id, dwte.rows)) atomicAdd(&dwte(static_cast<std::size_t>(id), c), g);
            sum += static_cast<double>(g);
        }
        float& mine = dwpe(start + t, c);
        mine = static_cast<float>(static_cast<double>(mine) + sum);
    }
}

/// One warp for up to four rows of the table and four sequences. The lanes share the channels.
__global__ void logits_kernel(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                              DeviceMatrix<float> logits) {
    const std::size_t C = hidden.channels;
    const unsigned lane = threadIdx.x % 32;
    const std::size_t row_groups = (wte.rows + 3) / 4;
    const std::size_t groups = row_groups * ((hidden.batch + 3) / 4);
    for (std::size_t w = first_of_thread() / 32; w < groups; w += threads_of_grid() / 32) {
        const std::size_t v = w % row_groups * 4;
        const std::size_t b = w / row_groups * 4;
        float sums[4][4] = {};
        for (std::size_t c = lane; c < C; c += 32) {
            float x[4];
            float y[4];
            for (unsigned i = 0; i < 4; ++i) {
                x[i] = b + i < hidden.batch ? hidden(b + i, hidden.time - 1, c) : 0.0F;
                y[i] = v + i < wte.rows ? wte(v + i, c) : 0.0F;
            }
            for (unsigned i = 0; i < 4; ++i)
                for (unsigned j = 0; j < 4; ++j)
                    sums[i][j] += x[i] * y[j];
        }
        float mine = 0; // lane 4 i + j keeps the sum of sequence i and row j
        for (unsigned i = 0; i < 4; ++i)
            for (unsigned j = 0; j < 4; ++j) {
                float sum = sums[i][j];
                for (unsigned distance = 16; distance > 0; distance /= 2)
                    sum += __shfl_down_sync(0xffffffffU, sum, distance);
                sum = __shfl_sync(0xffffffffU, sum, 0);
                if (lane == 4 * i + j) mine = sum;
            }
        const std::size_t i = lane / 4;
        const std::size_t j = lane % 4;
        if (i < 4 && b + i < hidden.batch && v + j < wte.rows) logits(b + i, v + j) = mine;
    }
}

__global__ void pack_kernel(DeviceMatrix<const float> from, float* to) {
    const std::size_t total = from.rows * from.cols;
    for (std::size_t e = first_of_thread(); e < total; e += threads_of_grid())
        to[e] = from(e / from.cols, e % from.cols);
}

__global__ void unpack_kernel(const float* from, DeviceMatrix<float> to) {
    const std::size_t total = to.rows * to.cols;
    for (std::size_t e = first_of_thread(); e < total; e += threads_of_grid())
        to(e / to.cols, e % to.cols) = from[e];
}

void pack(DeviceMatrix<const float> from, float* to, cudaStream_t stream) {
    const std::size_t total = from.rows * from.cols;
    if (total > 0) pack_kernel<<<blocks_for(total), 256, 0, stream>>>(from, to);
}

void unpack(const float* from, DeviceMatrix<float> to, cudaStream_t stream) {
    const std::size_t total = to.rows * to.cols;
    if (total > 0) unpack_kernel<<<blocks_for(total), 256, 0, stream>>>(from, to);
}

/// The second and third refusal of both directions.
Status check_rest(std::size_t start, std::size_t T, std::size_t P, const Dropout& dropout) {
    if (start > P || T > P - start) {
        const std::size_t p = start > P ? start : P;
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    if (!is_probability(dropout.p)) return Status{Code::invalid_argument};
    return Status{};
}

constexpr char letters[] = "GPT2IN01";

void put_number(std::uint8_t* to, std::uint64_t number, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i)
        to[i] = static_cast<std::uint8_t>(number >> (8 * i));
}

std::uint64_t get_number(const std::uint8_t* from, unsigned bytes) {
    std::uint64_t number = 0;
    for (unsigned i = 0; i < bytes; ++i)
        number |= std::uint64_t{from[i]} << (8 * i);
    return number;
}

} // namespace

ParameterReport parameters(ModelSizes sizes) {
    const double C = static_cast<double>(sizes.channels); // the products soon leave an int behind
    ParameterReport report;
    const double token_table = static_cast<double>(sizes.vocabulary) * C;
    const double position_table = static_cast<double>(sizes.positions) * C;
    const double block = 12 * C * C + 13 * C;
    const double final_norm = 2 * C;
    report.token_table = static_cast<std::size_t>(token_table);
    report.position_table = static_cast<std::size_t>(position_table);
    report.block = static_cast<std::size_t>(block);
    report.final_norm = static_cast<std::size_t>(final_norm);
    report.total = static_cast<std::size_t>(token_table + position_table +
                                            static_cast<double>(sizes.layers) * block + final_norm);
    return report;
}

Status forward(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
               std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return Status{Code::shape_mismatch};
    const Status rest = check_rest(start, ids.cols, wpe.rows, dropout);
    if (rest.code != Code::ok) return rest;
    const std::size_t total = out.batch * out.time * out.channels;
    if (out.batch == 0 || out.time == 0 || out.channels == 0) return Status{};
    forward_kernel<<<blocks_for(total), 256, 0, stream>>>(wte, wpe, ids, start, Mask(dropout), out);
    return Status{};
}

Status backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, std::size_t start,
                Dropout dropout, DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, cudaStream_t stream) {
    if (dwpe.cols != dwte.cols || dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols)
        return Status{Code::shape_mismatch};
    const Status rest = check_rest(start, ids.cols, dwpe.rows, dropout);
    if (rest.code != Code::ok) return rest;
    if (dout.batch == 0 || dout.time == 0 || dout.channels == 0) return Status{};
    backward_kernel<<<blocks_for(dout.time * dout.channels), 256, 0, stream>>>(dout, ids, start, Mask(dropout),
                                                                              dwte, dwpe);
    return Status{};
}

Status last_logits(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                   DeviceMatrix<float> logits, cudaStream_t stream) {
    if (hidden.channels != wte.cols || logits.rows != hidden.batch || logits.cols != wte.rows)
        return Status{Code::shape_mismatch};
    if (hidden.time == 0) return Status{Code::invalid_argument};
    if (hidden.batch == 0 || wte.rows == 0) return Status{};
    const std::size_t groups = ((wte.rows + 3) / 4) * ((hidden.batch + 3) / 4);
    logits_kernel<<<blocks_for(groups * 32, 128), 128, 0, stream>>>(hidden, wte, logits);
    return Status{};
}

Status save(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, Dropout dropout,
            std::span<std::uint8_t> header, DeviceSpan<float> parameters, cudaStream_t stream) {
    const std::size_t in_wte = wte.rows * wte.cols;
    const std::size_t in_wpe = wpe.rows * wpe.cols;
    if (wpe.cols != wte.cols || header.size() != 64 || parameters.size() != in_wte + in_wpe)
        return Status{Code::shape_mismatch};
    if (!is_probability(dropout.p)) return Status{Code::invalid_argument};

    std::memcpy(header.data(), letters, 8);
    put_number(&header[8], wte.rows, 8);
    put_number(&header[16], wpe.rows, 8);
    put_number(&header[24], wte.cols, 8);
    put_number(&header[32], std::bit_cast<std::uint32_t>(dropout.p), 4);
    put_number(&header[36], dropout.train ? 1 : 0, 4);
    put_number(&header[40], dropout.seed, 8);
    put_number(&header[48], dropout.offset, 8);
    put_number(&header[56], in_wte + in_wpe, 8);

    pack(wte, parameters.data(), stream);
    pack(wpe, parameters.data() + in_wte, stream);
    return Status{};
}

HeaderResult read_header(std::span<const std::uint8_t> header) {
    const HeaderResult refused{Status{Code::invalid_argument}, StageState{}};
    if (header.size() != 64 || std::memcmp(header.data(), letters, 8) != 0) return refused;
    const std::uint64_t V = get_number(&header[8], 8);
    const std::uint64_t P = get_number(&header[16], 8);
    const std::uint64_t C = get_number(&header[24], 8);
    const std::uint64_t limit = std::uint64_t{1} << 31;
    if (V >= limit || P >= limit || C >= limit) return refused;
    const auto p_bits = static_cast<std::uint32_t>(get_number(&header[32], 4));
    const auto p = std::bit_cast<float>(p_bits);
    const std::uint64_t train = get_number(&header[36], 4);
    if (!is_probability(p) || train > 1) return refused;
    if (get_number(&header[56], 8) != V * C + P * C) return refused; // below 2^63

    HeaderResult result;
    result.state.vocabulary = V;
    result.state.positions = P;
    result.state.channels = C;
    result.state.dropout.p = p;
    result.state.dropout.train = train == 1;
    result.state.dropout.seed = get_number(&header[40], 8);
    result.state.dropout.offset = get_number(&header[48], 8);
    return result;
}

Status load(DeviceSpan<const float> parameters, DeviceMatrix<float> wte, DeviceMatrix<float> wpe,
            cudaStream_t stream) {
    const std::size_t in_wte = wte.rows * wte.cols;
    const std::size_t in_wpe = wpe.rows * wpe.cols;
    if (wpe.cols != wte.cols || parameters.size() != in_wte + in_wpe) return Status{Code::shape_mismatch};
    unpack(parameters.data(), wte, stream);
    unpack(parameters.data() + in_wte, wpe, stream);
    return Status{};
}

} // namespace exercise

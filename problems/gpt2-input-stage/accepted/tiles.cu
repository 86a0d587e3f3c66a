// accepted: four channels at a time forward; the head by tiles in shared memory, a thread for each logit
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace exercise {
namespace {

constexpr unsigned int warp = 32;
constexpr unsigned int warps_of_a_block = 4;
constexpr unsigned int block = warp * warps_of_a_block;
constexpr char letters[] = "GPT2IN01";
constexpr std::size_t header_bytes = 64;

/// Blocks for `jobs` of which each takes a warp; the warps stride over what is left.
unsigned int blocks_for(std::size_t jobs) {
    return static_cast<unsigned int>(
        std::min<std::size_t>((jobs + warps_of_a_block - 1) / warps_of_a_block, 4096));
}

__device__ std::size_t first_job() {
    return std::size_t{blockIdx.x} * warps_of_a_block + threadIdx.x / warp;
}
__device__ std::size_t next_job(std::size_t job) {
    return job + std::size_t{gridDim.x} * warps_of_a_block;
}

/// Dropout in whole numbers, as in cuda-input-embedding.
struct Mask {
    std::uint64_t seed = 0;
    std::uint64_t offset = 0;
    std::uint64_t least = 0;
    float factor = 1;
};

Mask mask_of(Dropout dropout) {
    if (!dropout.train) return {};
    const double least = std::ceil(static_cast<double>(dropout.p) * 0x1p52 - 0.5);
    return {dropout.seed, dropout.offset, static_cast<std::uint64_t>(least), 1.0F / (1.0F - dropout.p)};
}

__device__ float drop(float value, const Mask& mask, std::uint64_t element) {
    std::uint64_t z = mask.seed + (mask.offset + element + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (z ^ (z >> 31)) >> 12 >= mask.least ? value * mask.factor : 0.0F;
}

__device__ bool in_vocabulary(TokenId id, std::size_t V) {
    return id >= 0 && static_cast<std::size_t>(id) < V;
}

__device__ bool takes_four(const float* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer) % sizeof(float4) == 0;
}

/// A warp for each token, four channels at a time where three addresses allow it.
__global__ void embed_rows(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                           DeviceMatrix<const TokenId> ids, std::size_t start, Mask mask,
                           DeviceTensor3<float> out) {
    const std::size_t lane = threadIdx.x % warp;
    for (std::size_t row = first_job(); row < out.batch * out.time; row = next_job(row)) {
        const std::size_t b = row / out.time, t = row % out.time, first = row * out.channels;
        const TokenId id = ids(b, t);
        const bool known = in_vocabulary(id, wte.rows);
        const float* token = known ? wte.row(static_cast<std::size_t>(id)) : nullptr;
        const float* position = wpe.row(start + t);
        float* to = out.row(b, t);
        std::size_t done = 0;
        if (known && takes_four(token) && takes_four(position) && takes_four(to)) {
            done = out.channels / 4 * 4;
            for (std::size_t c = lane * 4; c < done; c += warp * 4) {
                const float4 x = *reinterpret_cast<const float4*>(token + c);
                const float4 y = *reinterpret_cast<const float4*>(position + c);
                *reinterpret_cast<float4*>(to + c) =
                    make_float4(drop(x.x + y.x, mask, first + c), drop(x.y + y.y, mask, first + c + 1),
                                drop(x.z + y.z, mask, first + c + 2), drop(x.w + y.w, mask, first + c + 3));
            }
        }
        for (std::size_t c = done + lane; c < out.channels; c += warp)
            to[c] = drop((known ? token[c] : __int_as_float(0x7fc00000)) + position[c], mask, first + c);
    }
}

/// A warp for each position. It alone writes that row of dwpe, so the sum over the batch stays in a register;
/// rows of dwte are shared with other warps and need atomics. dout is read once for both.
__global__ void scatter_gradients(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                                  std::size_t start, Mask mask, DeviceMatrix<float> dwte,
                                  DeviceMatrix<float> dwpe) {
    for (std::size_t t = first_job(); t < dout.time; t = next_job(t))
        for (std::size_t c = threadIdx.x % warp; c < dout.channels; c += warp) {
            float sum = 0;
            for (std::size_t b = 0; b < dout.batch; ++b) {
                const std::uint64_t element = (b * dout.time + t) * dout.channels + c;
                const float gradient = drop(dout(b, t, c), mask, element);
                const TokenId id = ids(b, t);
                if (in_vocabulary(id, dwte.rows)) atomicAdd(&dwte(static_cast<std::size_t>(id), c), gradient);
                sum += gradient;
            }
            dwpe(start + t, c) += sum;
        }
}

/// So many blocks fit into a grid's second direction.
constexpr std::size_t most_in_y = 65'535;

/// A block for 32 tokens of the vocabulary and one sequence, or several. Tiles of the table are loaded by
/// neighbours and read by rows; the padding column keeps the rows in different banks.
__global__ void multiply_last(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                              DeviceMatrix<float> logits) {
    __shared__ float tile[warp][warp + 1];
    __shared__ float part[warp];
    const std::size_t first = std::size_t{blockIdx.x} * warp, x = threadIdx.x;
    for (std::size_t b = blockIdx.y; b < hidden.batch; b += gridDim.y) {
        float sum = 0;
        for (std::size_t c = 0; c < wte.cols; c += warp) {
            const std::size_t width = wte.cols - c < warp ? wte.cols - c : warp;
            for (std::size_t r = 0; r < warp && first + r < wte.rows; ++r)
                if (x < width) tile[r][x] = wte(first + r, c + x);
            if (x < width) part[x] = hidden(b, hidden.time - 1, c + x);
            __syncthreads();
            if (first + x < wte.rows)
                for (std::size_t k = 0; k < width; ++k)
                    sum += part[k] * tile[x][k];
            __syncthreads();
        }
        if (first + x < wte.rows) logits(b, first + x) = sum;
    }
}

__global__ void pack(DeviceMatrix<const float> table, float* to) {
    for (std::size_t r = first_job(); r < table.rows; r = next_job(r))
        for (std::size_t c = threadIdx.x % warp; c < table.cols; c += warp)
            to[r * table.cols + c] = table(r, c);
}

__global__ void unpack(const float* from, DeviceMatrix<float> table) {
    for (std::size_t r = first_job(); r < table.rows; r = next_job(r))
        for (std::size_t c = threadIdx.x % warp; c < table.cols; c += warp)
            table(r, c) = from[r * table.cols + c];
}

bool valid(Dropout dropout) {
    return dropout.p >= 0 && dropout.p <= 1;
}

/// What forward and backward refuse alike.
Status check(bool fits, std::size_t start, std::size_t T, std::size_t P, Dropout dropout) {
    if (!fits) return {Code::shape_mismatch};
    if (start > P || T > P - start) {
        const std::size_t p = std::max(start, P);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    if (!valid(dropout)) return {Code::invalid_argument};
    return {};
}

void put(std::uint8_t* bytes, std::size_t count, std::uint64_t number) {
    for (std::size_t i = 0; i < count; ++i)
        bytes[i] = static_cast<std::uint8_t>(number >> (8 * i) & 0xff);
}

std::uint64_t get(const std::uint8_t* bytes, std::size_t count) {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < count; ++i)
        number |= std::uint64_t{bytes[i]} << (8 * i);
    return number;
}

} // namespace

ParameterReport parameters(ModelSizes sizes) {
    const std::size_t C = sizes.channels;
    ParameterReport report{sizes.vocabulary * C, sizes.positions * C, 12 * C * C + 13 * C, 2 * C, 0};
    report.total =
        report.token_table + report.position_table + sizes.layers * report.block + report.final_norm;
    return report;
}

Status forward(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
               std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    const bool fits =
        wpe.cols == wte.cols && out.batch == ids.rows && out.time == ids.cols && out.channels == wte.cols;
    const Status status = check(fits, start, ids.cols, wpe.rows, dropout);
    if (status.code != Code::ok) return status;
    const std::size_t rows = out.batch * out.time;
    if (rows > 0 && out.channels > 0)
        embed_rows<<<blocks_for(rows), block, 0, stream>>>(wte, wpe, ids, start, mask_of(dropout), out);
    return {};
}

Status backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, std::size_t start,
                Dropout dropout, DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, cudaStream_t stream) {
    const bool fits = dwpe.cols == dwte.cols && dout.batch == ids.rows && dout.time == ids.cols &&
                      dout.channels == dwte.cols;
    const Status status = check(fits, start, ids.cols, dwpe.rows, dropout);
    if (status.code != Code::ok) return status;
    if (dout.batch > 0 && dout.time > 0 && dout.channels > 0)
        scatter_gradients<<<blocks_for(dout.time), block, 0, stream>>>(dout, ids, start, mask_of(dropout),
                                                                       dwte, dwpe);
    return {};
}

Status last_logits(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                   DeviceMatrix<float> logits, cudaStream_t stream) {
    const bool fits = hidden.channels == wte.cols && logits.rows == hidden.batch && logits.cols == wte.rows;
    if (!fits) return {Code::shape_mismatch};
    if (hidden.time == 0) return {Code::invalid_argument};
    if (hidden.batch > 0 && wte.rows > 0)
        multiply_last<<<dim3(static_cast<unsigned int>((wte.rows + warp - 1) / warp),
                             static_cast<unsigned int>(std::min(hidden.batch, most_in_y))),
                        warp, 0, stream>>>(hidden, wte, logits);
    return {};
}

Status save(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, Dropout dropout,
            std::span<std::uint8_t> header, DeviceSpan<float> parameters, cudaStream_t stream) {
    const std::size_t count = (wte.rows + wpe.rows) * wte.cols;
    if (wpe.cols != wte.cols || header.size() != header_bytes || parameters.size() != count)
        return {Code::shape_mismatch};
    if (!valid(dropout)) return {Code::invalid_argument};

    std::uint32_t p = 0;
    std::memcpy(&p, &dropout.p, sizeof p);
    std::copy_n(letters, 8, header.begin());
    put(header.data() + 8, 8, wte.rows);
    put(header.data() + 16, 8, wpe.rows);
    put(header.data() + 24, 8, wte.cols);
    put(header.data() + 32, 4, p);
    put(header.data() + 36, 4, dropout.train ? 1 : 0);
    put(header.data() + 40, 8, dropout.seed);
    put(header.data() + 48, 8, dropout.offset);
    put(header.data() + 56, 8, count);

    if (wte.rows > 0 && wte.cols > 0)
        pack<<<blocks_for(wte.rows), block, 0, stream>>>(wte, parameters.data());
    if (wpe.rows > 0 && wpe.cols > 0)
        pack<<<blocks_for(wpe.rows), block, 0, stream>>>(wpe, parameters.data() + wte.rows * wte.cols);
    return {};
}

HeaderResult read_header(std::span<const std::uint8_t> header) {
    const HeaderResult refused{{Code::invalid_argument}, {}};
    if (header.size() != header_bytes || !std::equal(letters, letters + 8, header.begin())) return refused;
    const std::uint64_t V = get(header.data() + 8, 8), P = get(header.data() + 16, 8);
    const std::uint64_t C = get(header.data() + 24, 8), train = get(header.data() + 36, 4);
    constexpr std::uint64_t too_large = std::uint64_t{1} << 31;
    if (V >= too_large || P >= too_large || C >= too_large) return refused; // so the products below fit
    const auto bits = static_cast<std::uint32_t>(get(header.data() + 32, 4));
    Dropout dropout{0, train == 1, get(header.data() + 40, 8), get(header.data() + 48, 8)};
    std::memcpy(&dropout.p, &bits, sizeof bits);
    if (!valid(dropout) || train > 1 || get(header.data() + 56, 8) != (V + P) * C) return refused;
    return {{}, {V, P, C, dropout}};
}

Status load(DeviceSpan<const float> parameters, DeviceMatrix<float> wte, DeviceMatrix<float> wpe,
            cudaStream_t stream) {
    if (wpe.cols != wte.cols || parameters.size() != (wte.rows + wpe.rows) * wte.cols)
        return {Code::shape_mismatch};
    if (wte.rows > 0 && wte.cols > 0)
        unpack<<<blocks_for(wte.rows), block, 0, stream>>>(parameters.data(), wte);
    if (wpe.rows > 0 && wpe.cols > 0)
        unpack<<<blocks_for(wpe.rows), block, 0, stream>>>(parameters.data() + wte.rows * wte.cols, wpe);
    return {};
}

} // namespace exercise

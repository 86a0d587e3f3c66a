// right: integer threshold for the mask, rows of dwte get an owner by a counting sort in scratch memory, sums in double, the head works through shared memory, one launch for both tables of a checkpoint
#include "contract.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace exercise {

namespace {

constexpr unsigned block_threads = 256;
constexpr unsigned warps_of_block = block_threads / 32;
constexpr std::size_t most_blocks = 512;
constexpr unsigned per_lane = 4;                  // channels of a lane in one item of work
constexpr std::size_t span_of_warp = 32 * per_lane; // neighbouring channels of one item

// Blocks for `items` pieces of work, one a warp; the kernels go on in strides of the whole grid.
unsigned blocks_for(std::size_t items) {
    const std::size_t blocks = items / warps_of_block + (items % warps_of_block != 0 ? 1 : 0);
    return static_cast<unsigned>(std::min(blocks, most_blocks));
}

std::size_t pieces(std::size_t n, std::size_t size) {
    return n / size + (n % size != 0 ? 1 : 0);
}

bool probability(float p) {
    return p >= 0.0F && p <= 1.0F; // false for NaN
}

Status check_window(std::size_t start, std::size_t time, std::size_t positions) {
    if (start > positions || time > positions - start) {
        const std::size_t first = std::max(start, positions);
        return Status::position_out_of_range(first - start, static_cast<std::int64_t>(first), positions);
    }
    return {};
}

// What a kernel needs to know about dropout.
struct Mask {
    bool active;
    std::uint64_t threshold; // the smallest k with k + 1/2 >= p * 2^52
    float factor;
    std::uint64_t seed;
    std::uint64_t offset;
};

Mask mask_of(Dropout dropout) {
    Mask mask{};
    mask.active = dropout.train;
    mask.threshold =
        static_cast<std::uint64_t>(std::ceil(static_cast<double>(dropout.p) * 4503599627370496.0 - 0.5));
    mask.factor = dropout.train ? 1.0F / (1.0F - dropout.p) : 1.0F;
    mask.seed = dropout.seed;
    mask.offset = dropout.offset;
    return mask;
}

__device__ bool survives(const Mask& mask, std::uint64_t element) {
    if (!mask.active) return true;
    std::uint64_t z = mask.seed + (mask.offset + element + 1) * 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    z ^= z >> 31;
    return (z >> 12) >= mask.threshold;
}

// One warp takes 128 channels of one position, keeps those of wpe and goes through the batch.
__global__ void forward_kernel(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                               DeviceMatrix<const TokenId> ids, std::size_t start, Mask mask,
                               DeviceTensor3<float> out, std::size_t chunks, std::size_t items, float nan) {
    const std::size_t lane = threadIdx.x % 32;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * warps_of_block;
    for (std::size_t item = static_cast<std::size_t>(blockIdx.x) * warps_of_block + threadIdx.x / 32; item < items;
         item += step) {
        const std::size_t t = item / chunks;
        const std::size_t first = (item % chunks) * span_of_warp + lane;
        float place[per_lane];
        for (unsigned k = 0; k < per_lane; ++k) {
            const std::size_t c = first + k * 32;
            place[k] = c < out.channels ? wpe(start + t, c) : 0.0F;
        }
        for (std::size_t b = 0; b < out.batch; ++b) {
            const TokenId id = ids(b, t);
            const bool known = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
            for (unsigned k = 0; k < per_lane; ++k) {
                const std::size_t c = first + k * 32;
                if (c >= out.channels) break;
                float value = 0.0F;
                if (survives(mask, (b * out.time + t) * out.channels + c)) {
                    const float token = known ? wte(static_cast<std::size_t>(id), c) : nan;
                    value = token + place[k];
                    if (mask.active) value *= mask.factor;
                }
                out(b, t, c) = value;
            }
        }
    }
}

// The gradient of a survivor: the product rounded to float.
__device__ double scaled(const Mask& mask, float d) {
    if (!mask.active) return static_cast<double>(d);
    return static_cast<double>(static_cast<float>(static_cast<double>(d) * static_cast<double>(mask.factor)));
}

// How often each word is there.
__global__ void count_kernel(DeviceMatrix<const TokenId> ids, std::size_t vocabulary, unsigned* count) {
    const std::size_t places = ids.rows * ids.cols;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < places; i += step) {
        const TokenId id = ids(i / ids.cols, i % ids.cols);
        if (id >= 0 && static_cast<std::size_t>(id) < vocabulary) atomicAdd(&count[id], 1U);
    }
}

// Each word that is there takes a piece of the list, in any order. `cursor` counts what is taken.
__global__ void base_kernel(const unsigned* count, std::size_t vocabulary, unsigned* cursor, unsigned* base) {
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t v = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; v < vocabulary; v += step)
        if (count[v] != 0) base[v] = atomicAdd(cursor, count[v]);
}

// Each place enters the piece of its word.
__global__ void list_kernel(DeviceMatrix<const TokenId> ids, std::size_t vocabulary, const unsigned* base,
                            unsigned* fill, unsigned* list) {
    const std::size_t places = ids.rows * ids.cols;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < places; i += step) {
        const TokenId id = ids(i / ids.cols, i % ids.cols);
        if (id >= 0 && static_cast<std::size_t>(id) < vocabulary)
            list[base[id] + atomicAdd(&fill[id], 1U)] = static_cast<unsigned>(i);
    }
}

// The warp at the first place of a piece owns the row.
__global__ void words_kernel(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, Mask mask,
                             const unsigned* count, const unsigned* base, const unsigned* cursor,
                             const unsigned* list, DeviceMatrix<float> dwte) {
    const std::size_t lane = threadIdx.x % 32;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * warps_of_block;
    const std::size_t listed = *cursor;
    for (std::size_t k = static_cast<std::size_t>(blockIdx.x) * warps_of_block + threadIdx.x / 32; k < listed;
         k += step) {
        const std::size_t place = list[k];
        const std::size_t v = static_cast<std::size_t>(ids(place / ids.cols, place % ids.cols));
        if (base[v] != k) continue;
        const std::size_t n = count[v];
        for (std::size_t c = lane; c < dout.channels; c += 32) {
            double sum = 0.0;
            for (std::size_t j = 0; j < n; ++j) {
                const std::size_t e = static_cast<std::size_t>(list[k + j]) * dout.channels + c;
                if (survives(mask, e)) sum += scaled(mask, dout.data[e]);
            }
            dwte(v, c) = static_cast<float>(static_cast<double>(dwte(v, c)) + sum);
        }
    }
}

// A thread owns one number of dwpe.
__global__ void places_kernel(DeviceTensor3<const float> dout, std::size_t start, Mask mask,
                              DeviceMatrix<float> dwpe) {
    const std::size_t n = dout.time * dout.channels;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
        double sum = 0.0;
        for (std::size_t b = 0; b < dout.batch; ++b) {
            const std::size_t e = b * n + i;
            if (survives(mask, e)) sum += scaled(mask, dout.data[e]);
        }
        float& g = dwpe(start + i / dout.channels, i % dout.channels);
        g = static_cast<float>(static_cast<double>(g) + sum);
    }
}

constexpr unsigned tile = 4;        // sequences at a time
constexpr unsigned staged = 256;    // channels at a time

// Eight warps, eight rows of the table; the hidden values wait in shared memory. All sums in double.
__global__ void logits_kernel(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                              DeviceMatrix<float> logits, std::size_t groups) {
    __shared__ float shelf[tile][staged];
    __shared__ double parts[tile][warps_of_block][32];
    const unsigned warp = threadIdx.x / 32;
    const unsigned lane = threadIdx.x % 32;
    for (std::size_t group = blockIdx.x; group < groups; group += gridDim.x) {
        const std::size_t v = group * warps_of_block + warp;
        for (std::size_t b0 = 0; b0 < logits.rows; b0 += tile) {
            const unsigned nb = logits.rows - b0 < tile ? static_cast<unsigned>(logits.rows - b0) : tile;
            double sum[tile] = {};
            for (std::size_t c0 = 0; c0 < wte.cols; c0 += staged) {
                __syncthreads();
                if (c0 + threadIdx.x < wte.cols)
                    for (unsigned i = 0; i < nb; ++i)
                        shelf[i][threadIdx.x] = hidden(b0 + i, hidden.time - 1, c0 + threadIdx.x);
                __syncthreads();
                if (v < logits.cols)
                    for (unsigned k = lane; k < staged && c0 + k < wte.cols; k += 32) {
                        const double w = static_cast<double>(wte(v, c0 + k));
                        for (unsigned i = 0; i < nb; ++i) sum[i] += static_cast<double>(shelf[i][k]) * w;
                    }
            }
            for (unsigned i = 0; i < nb; ++i) parts[i][warp][lane] = sum[i];
            for (unsigned d = 16; d > 0; d /= 2) {
                __syncthreads();
                if (lane < d)
                    for (unsigned i = 0; i < nb; ++i) parts[i][warp][lane] += parts[i][warp][lane + d];
            }
            if (lane == 0 && v < logits.cols)
                for (unsigned i = 0; i < nb; ++i) logits(b0 + i, v) = static_cast<float>(parts[i][warp][0]);
            __syncthreads();
        }
    }
}

constexpr std::size_t copy_span = 256;

// Both tables in one launch: rows 0 to V - 1 are those of the first, the others those of the second.
__global__ void pack_kernel(DeviceMatrix<const float> first, DeviceMatrix<const float> second, float* dense,
                            std::size_t chunks, std::size_t items) {
    const std::size_t lane = threadIdx.x % 32;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * warps_of_block;
    for (std::size_t item = static_cast<std::size_t>(blockIdx.x) * warps_of_block + threadIdx.x / 32; item < items;
         item += step) {
        const std::size_t r = item / chunks;
        const float* from = r < first.rows ? first.row(r) : second.row(r - first.rows);
        const std::size_t begin = item % chunks * copy_span;
        const std::size_t end = first.cols - begin < copy_span ? first.cols : begin + copy_span;
        for (std::size_t c = begin + lane; c < end; c += 32) dense[r * first.cols + c] = from[c];
    }
}

__global__ void unpack_kernel(const float* dense, DeviceMatrix<float> first, DeviceMatrix<float> second,
                              std::size_t chunks, std::size_t items) {
    const std::size_t lane = threadIdx.x % 32;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * warps_of_block;
    for (std::size_t item = static_cast<std::size_t>(blockIdx.x) * warps_of_block + threadIdx.x / 32; item < items;
         item += step) {
        const std::size_t r = item / chunks;
        float* to = r < first.rows ? first.row(r) : second.row(r - first.rows);
        const std::size_t begin = item % chunks * copy_span;
        const std::size_t end = first.cols - begin < copy_span ? first.cols : begin + copy_span;
        for (std::size_t c = begin + lane; c < end; c += 32) to[c] = dense[r * first.cols + c];
    }
}

constexpr char magic[] = "GPT2IN01";

void put(std::uint8_t* to, std::uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) to[i] = static_cast<std::uint8_t>(value >> (8 * i));
}

std::uint64_t get(const std::uint8_t* from, unsigned bytes) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) value |= static_cast<std::uint64_t>(from[i]) << (8 * i);
    return value;
}

} // namespace

ParameterReport parameters(ModelSizes sizes) {
    ParameterReport report;
    const std::size_t c = sizes.channels;
    report.token_table = sizes.vocabulary * c;
    report.position_table = sizes.positions * c;
    report.block = 12 * c * c + 13 * c;
    report.final_norm = 2 * c;
    report.total = report.token_table + report.position_table + sizes.layers * report.block + report.final_norm;
    return report;
}

Status forward(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
               std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return Status{Code::shape_mismatch};
    if (const Status window = check_window(start, ids.cols, wpe.rows); window.code != Code::ok) return window;
    if (!probability(dropout.p)) return Status{Code::invalid_argument};
    if (out.batch == 0 || out.time == 0 || out.channels == 0) return {};
    const std::size_t chunks = pieces(out.channels, span_of_warp);
    const std::size_t items = out.time * chunks;
    const unsigned blocks = blocks_for(items);
    const Mask mask = mask_of(dropout);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    forward_kernel<<<blocks, block_threads, 0, stream>>>(wte, wpe, ids, start, mask, out, chunks, items, nan);
    return {};
}

Status backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, std::size_t start,
                Dropout dropout, DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, cudaStream_t stream) {
    if (dwpe.cols != dwte.cols || dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols)
        return Status{Code::shape_mismatch};
    if (const Status window = check_window(start, ids.cols, dwpe.rows); window.code != Code::ok) return window;
    if (!probability(dropout.p)) return Status{Code::invalid_argument};
    if (dout.batch == 0 || dout.time == 0 || dout.channels == 0) return {};
    const Mask mask = mask_of(dropout);
    const std::size_t places = dout.batch * dout.time;
    const unsigned thread_blocks = static_cast<unsigned>(std::min(pieces(places, block_threads), most_blocks));
    const unsigned sum_blocks = blocks_for(places);
    const std::size_t vocabulary = dwte.rows;
    if (vocabulary != 0) {
        // count, base and fill of each word, the cursor, and the list
        void* memory = nullptr;
        cudaMallocAsync(&memory, (3 * vocabulary + 1 + places) * sizeof(unsigned), stream);
        unsigned* count = static_cast<unsigned*>(memory);
        unsigned* fill = count + vocabulary;
        unsigned* cursor = fill + vocabulary;
        unsigned* base = cursor + 1;
        unsigned* list = base + vocabulary;
        cudaMemsetAsync(count, 0, (2 * vocabulary + 1) * sizeof(unsigned), stream);
        const unsigned word_blocks = static_cast<unsigned>(std::min(pieces(vocabulary, block_threads), most_blocks));
        count_kernel<<<thread_blocks, block_threads, 0, stream>>>(ids, vocabulary, count);
        base_kernel<<<word_blocks, block_threads, 0, stream>>>(count, vocabulary, cursor, base);
        list_kernel<<<thread_blocks, block_threads, 0, stream>>>(ids, vocabulary, base, fill, list);
        words_kernel<<<sum_blocks, block_threads, 0, stream>>>(dout, ids, mask, count, base, cursor, list, dwte);
        cudaFreeAsync(memory, stream);
    }
    const std::size_t owners = dout.time * dout.channels;
    const unsigned owner_blocks = static_cast<unsigned>(std::min(pieces(owners, block_threads), most_blocks));
    places_kernel<<<owner_blocks, block_threads, 0, stream>>>(dout, start, mask, dwpe);
    return {};
}

Status last_logits(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                   DeviceMatrix<float> logits, cudaStream_t stream) {
    if (hidden.channels != wte.cols || logits.rows != hidden.batch || logits.cols != wte.rows)
        return Status{Code::shape_mismatch};
    if (hidden.time == 0) return Status{Code::invalid_argument};
    if (logits.rows == 0 || logits.cols == 0) return {};
    const std::size_t groups = pieces(logits.cols, warps_of_block);
    const unsigned blocks = static_cast<unsigned>(std::min(groups, most_blocks));
    logits_kernel<<<blocks, block_threads, 0, stream>>>(hidden, wte, logits, groups);
    return {};
}

Status save(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, Dropout dropout,
            std::span<std::uint8_t> header, DeviceSpan<float> parameters, cudaStream_t stream) {
    const std::size_t count = wte.rows * wte.cols + wpe.rows * wte.cols;
    if (wpe.cols != wte.cols || header.size() != 64 || parameters.size() != count)
        return Status{Code::shape_mismatch};
    if (!probability(dropout.p)) return Status{Code::invalid_argument};
    std::uint8_t* bytes = header.data();
    for (unsigned i = 0; i < 8; ++i) bytes[i] = static_cast<std::uint8_t>(magic[i]);
    put(bytes + 8, wte.rows, 8);
    put(bytes + 16, wpe.rows, 8);
    put(bytes + 24, wte.cols, 8);
    put(bytes + 32, std::bit_cast<std::uint32_t>(dropout.p), 4);
    put(bytes + 36, dropout.train ? 1 : 0, 4);
    put(bytes + 40, dropout.seed, 8);
    put(bytes + 48, dropout.offset, 8);
    put(bytes + 56, count, 8);
    if (count == 0) return {};
    const std::size_t chunks = pieces(wte.cols, copy_span);
    const std::size_t items = (wte.rows + wpe.rows) * chunks;
    const unsigned blocks = blocks_for(items);
    pack_kernel<<<blocks, block_threads, 0, stream>>>(wte, wpe, parameters.data(), chunks, items);
    return {};
}

HeaderResult read_header(std::span<const std::uint8_t> header) {
    const HeaderResult refused{Status{Code::invalid_argument}, StageState{}};
    if (header.size() != 64) return refused;
    const std::uint8_t* bytes = header.data();
    for (unsigned i = 0; i < 8; ++i)
        if (bytes[i] != static_cast<std::uint8_t>(magic[i])) return refused;
    const std::uint64_t v = get(bytes + 8, 8);
    const std::uint64_t p = get(bytes + 16, 8);
    const std::uint64_t c = get(bytes + 24, 8);
    const std::uint64_t limit = std::uint64_t{1} << 31;
    if (v >= limit || p >= limit || c >= limit) return refused;
    const std::uint32_t probability_bits = static_cast<std::uint32_t>(get(bytes + 32, 4));
    if (!probability(std::bit_cast<float>(probability_bits))) return refused;
    const std::uint64_t train = get(bytes + 36, 4);
    if (train > 1) return refused;
    if (get(bytes + 56, 8) != v * c + p * c) return refused;
    HeaderResult result;
    result.state.vocabulary = v;
    result.state.positions = p;
    result.state.channels = c;
    result.state.dropout.p = std::bit_cast<float>(probability_bits);
    result.state.dropout.train = train == 1;
    result.state.dropout.seed = get(bytes + 40, 8);
    result.state.dropout.offset = get(bytes + 48, 8);
    return result;
}

Status load(DeviceSpan<const float> parameters, DeviceMatrix<float> wte, DeviceMatrix<float> wpe,
            cudaStream_t stream) {
    if (wpe.cols != wte.cols || parameters.size() != wte.rows * wte.cols + wpe.rows * wte.cols)
        return Status{Code::shape_mismatch};
    if (parameters.empty()) return {};
    const std::size_t chunks = pieces(wte.cols, copy_span);
    const std::size_t items = (wte.rows + wpe.rows) * chunks;
    const unsigned blocks = blocks_for(items);
    unpack_kernel<<<blocks, block_threads, 0, stream>>>(parameters.data(), wte, wpe, chunks, items);
    return {};
}

} // namespace exercise

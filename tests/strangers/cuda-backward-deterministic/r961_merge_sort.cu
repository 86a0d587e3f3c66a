// right: pairs (token, place) are sorted by tiles and then merged by rank, and the first pair of each token walks over its segment
#include "contract.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace exercise {
namespace {

/// Number of this thread in the grid, and how many threads the grid has.
__device__ inline std::size_t thread_number() {
    return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline std::size_t thread_count() {
    return static_cast<std::size_t>(gridDim.x) * blockDim.x;
}

/// Blocks for so many elements; the kernels go round if the grid is too small.
unsigned blocks_for(std::size_t elements, unsigned threads) {
    const std::size_t wanted = elements / threads + (elements % threads != 0 ? 1 : 0);
    return static_cast<unsigned>(std::min<std::size_t>(wanted, std::size_t{1} << 22));
}

using Key = std::uint64_t; ///< token in the upper half, place in the lower one: no two are equal
constexpr unsigned tile = 64;
constexpr std::uint32_t no_row = 0xffffffffu; ///< instead of the token where the id has no row: comes last

__device__ inline std::uint32_t token_of(Key key) {
    return static_cast<std::uint32_t>(key >> 32);
}
__device__ inline std::size_t place_of(Key key) {
    return static_cast<std::size_t>(key & 0xffffffffu);
}

__device__ inline TokenId id_at(const DeviceMatrix<const TokenId>& ids, std::size_t place) {
    const std::size_t b = place / ids.cols;
    return ids(b, place - b * ids.cols);
}

/// Makes the keys of 64 places and sorts them: the rank of a key is how many are smaller.
__global__ void sort_tiles(DeviceMatrix<const TokenId> ids, std::size_t vocabulary, std::int64_t padding,
                           Key* keys, std::size_t places) {
    __shared__ Key given[tile];
    __shared__ Key sorted[tile];
    const std::size_t place = static_cast<std::size_t>(blockIdx.x) * tile + threadIdx.x;
    Key key = ~Key{0};
    if (place < places) {
        const std::int64_t id = id_at(ids, place);
        const bool has_row = id >= 0 && static_cast<std::size_t>(id) < vocabulary && id != padding;
        key = static_cast<Key>(has_row ? static_cast<std::uint32_t>(id) : no_row) << 32 | place;
    }
    given[threadIdx.x] = key;
    __syncthreads();
    unsigned rank = 0;
    for (unsigned i = 0; i < tile; ++i) {
        const Key other = given[i];
        if (other < key || (other == key && i < threadIdx.x)) ++rank; // equal: both behind the end
    }
    sorted[rank] = key;
    __syncthreads();
    if (place < places) keys[place] = sorted[threadIdx.x];
}

/// Merges neighbouring runs of `width` sorted keys. Each key counts the smaller ones in the other run.
__global__ void merge_runs(const Key* from, Key* to, std::size_t places, std::size_t width) {
    for (std::size_t i = thread_number(); i < places; i += thread_count()) {
        const Key key = from[i];
        const std::size_t run = i / width;
        const bool left = run % 2 == 0;
        const std::size_t pair = (left ? run : run - 1) * width;
        const std::size_t middle = pair + width < places ? pair + width : places;
        const std::size_t end = middle + width < places ? middle + width : places;
        std::size_t low = left ? middle : pair;
        std::size_t high = left ? end : middle;
        const std::size_t first = low;
        while (low < high) {
            const std::size_t half = low + (high - low) / 2;
            if (from[half] < key)
                low = half + 1;
            else
                high = half;
        }
        const std::size_t own = i - (left ? pair : middle);
        to[pair + own + (low - first)] = key;
    }
}

/// One thread a channel of a sorted key. The first key of a token owns the sum: it walks to the last one.
__global__ void sum_tokens(DeviceTensor3<const float> dout, const Key* keys, DeviceMatrix<float> dwte) {
    const std::size_t width = dout.channels;
    const std::size_t places = dout.batch * dout.time;
    for (std::size_t e = thread_number(); e < places * width; e += thread_count()) {
        std::size_t i = e / width;
        const std::size_t c = e - i * width;
        Key key = keys[i];
        const std::uint32_t token = token_of(key);
        if (token == no_row || (i > 0 && token_of(keys[i - 1]) == token)) continue;
        float total = 0.0f;
        bool more = true;
        while (more) {
            float partial = 0.0f;
            for (std::size_t terms = 0; terms < terms_of_a_partial && more; ++terms) {
                partial += dout.data[place_of(key) * width + c];
                more = ++i < places;
                if (more) {
                    key = keys[i];
                    more = token_of(key) == token;
                }
            }
            total += partial;
        }
        dwte(token, c) += total;
    }
}

/// One thread an element of the window of dwpe; it owns the sum over the batch.
__global__ void collect_positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe,
                                  std::size_t start) {
    const std::size_t width = dout.channels;
    const std::size_t plane = dout.time * width;
    for (std::size_t e = thread_number(); e < plane; e += thread_count()) {
        const std::size_t t = e / width;
        float sum = 0.0f;
        for (std::size_t b = 0; b < dout.batch; ++b)
            sum += dout.data[b * plane + e];
        dwpe(start + t, e - t * width) += sum;
    }
}

/// What the host can know, in the order of the contract.
Status check(const DeviceTensor3<const float>& dout, const DeviceMatrix<const TokenId>& ids,
             const DeviceMatrix<float>& dwte, const DeviceMatrix<float>& dwpe,
             const BackwardOptions& options) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols ||
        dout.channels != dwpe.cols)
        return Status{Code::shape_mismatch, 0, 0, 0};
    if (options.padding_idx >= 0 && static_cast<std::size_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (options.start > dwpe.rows || ids.cols > dwpe.rows - options.start) {
        const std::size_t missing = std::max(options.start, dwpe.rows);
        return Status::position_out_of_range(missing - options.start, static_cast<std::int64_t>(missing),
                                             dwpe.rows);
    }
    return Status{};
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const Status refused = check(dout, ids, dwte, dwpe, options);
    if (refused.code != Code::ok) return refused;
    if (dout.batch == 0 || dout.time == 0 || dout.channels == 0) return Status{};

    const unsigned threads = options.threads;
    const std::size_t places = dout.batch * dout.time;
    const std::size_t plane = dout.time * dout.channels;

    Key* keys = nullptr;
    Key* spare = nullptr;
    cudaMallocAsync(reinterpret_cast<void**>(&keys), places * sizeof(Key), stream);
    cudaMallocAsync(reinterpret_cast<void**>(&spare), places * sizeof(Key), stream);
    sort_tiles<<<static_cast<unsigned>((places + tile - 1) / tile), tile, 0, stream>>>(
        ids, dwte.rows, options.padding_idx, keys, places);
    for (std::size_t width = tile; width < places; width *= 2) {
        merge_runs<<<blocks_for(places, threads), threads, 0, stream>>>(keys, spare, places, width);
        std::swap(keys, spare);
    }
    sum_tokens<<<blocks_for(places * dout.channels, threads), threads, 0, stream>>>(dout, keys, dwte);
    cudaFreeAsync(keys, stream);
    cudaFreeAsync(spare, stream);

    collect_positions<<<blocks_for(plane, threads), threads, 0, stream>>>(dout, dwpe, options.start);
    return Status{};
}

} // namespace exercise

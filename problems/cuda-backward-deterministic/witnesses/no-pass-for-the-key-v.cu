// Fault: The radix sort does not cover the key V of ignored positions, so for V = 2,048 or 2^22 they split the
//  segment of token 0.
// Origin: round 21
#include "contract.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace exercise {
namespace {

constexpr unsigned block_size = 256;

unsigned blocks_for(std::size_t items, std::size_t items_of_a_block) {
    const std::size_t blocks = (items + items_of_a_block - 1) / items_of_a_block;
    return static_cast<unsigned>(std::min<std::size_t>(blocks, 16384));
}

Status check(const DeviceTensor3<const float>& dout, const DeviceMatrix<const TokenId>& ids,
             const DeviceMatrix<float>& dwte, const DeviceMatrix<float>& dwpe, const BackwardOptions& options) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols || dwpe.cols != dwte.cols)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (options.start > dwpe.rows || ids.cols > dwpe.rows - options.start) {
        const std::size_t position = std::max(options.start, dwpe.rows);
        return Status::position_out_of_range(position - options.start, static_cast<std::int64_t>(position),
                                             dwpe.rows);
    }
    return Status{};
}

__device__ __forceinline__ bool collects(TokenId id, std::size_t vocabulary, std::int64_t padding_idx) {
    return id >= 0 && static_cast<std::size_t>(id) < vocabulary && id != padding_idx;
}

/// The thread of (t, c) owns the sum over the batch.
__global__ void add_positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t count = dout.time * dout.channels;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
        const std::size_t t = i / dout.channels;
        const std::size_t c = i % dout.channels;
        float sum = 0.0f;
        for (std::size_t b = 0; b < dout.batch; ++b) sum += dout(b, t, c);
        dwpe(start + t, c) += sum;
    }
}

constexpr unsigned lanes = 32;
constexpr unsigned everybody = 0xFFFFFFFFU;
constexpr unsigned digit_bits = 11;
constexpr unsigned buckets = 1U << digit_bits;

/// A key and the place that it stands at.
struct Entry {
    std::uint32_t key;
    std::uint32_t place;
};

/// The key of a token is its number. Those that collect nothing get one that is behind all others.
__global__ void make_entries(DeviceMatrix<const TokenId> ids, std::size_t vocabulary, std::int64_t padding_idx,
                             std::uint32_t behind, Entry* entries) {
    const std::size_t places = ids.rows * ids.cols;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t place = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; place < places;
         place += step) {
        const TokenId id = ids(place / ids.cols, place % ids.cols);
        Entry entry;
        entry.key = collects(id, vocabulary, padding_idx) ? static_cast<std::uint32_t>(id) : behind;
        entry.place = static_cast<std::uint32_t>(place);
        entries[place] = entry;
    }
}

/// One pass of a radix sort, by one warp: equal digits keep their order.
__global__ void sort_by_digit(const Entry* from, Entry* to, std::size_t count, unsigned shift) {
    __shared__ unsigned next[buckets];
    const unsigned lane = threadIdx.x;
    for (unsigned i = lane; i < buckets; i += lanes) next[i] = 0;
    __syncwarp();
    for (std::size_t i = lane; i < count; i += lanes) atomicAdd(&next[from[i].key >> shift & (buckets - 1)], 1U);
    __syncwarp();

    unsigned sum = 0;
    for (unsigned i = 0; i < buckets / lanes; ++i) sum += next[lane * (buckets / lanes) + i];
    unsigned before = sum;
    for (unsigned distance = 1; distance < lanes; distance *= 2) {
        const unsigned more = __shfl_up_sync(everybody, before, distance);
        if (lane >= distance) before += more;
    }
    before -= sum;
    for (unsigned i = 0; i < buckets / lanes; ++i) {
        unsigned& slot = next[lane * (buckets / lanes) + i];
        const unsigned size = slot;
        slot = before;
        before += size;
    }
    __syncwarp();

    for (std::size_t first = 0; first < count; first += lanes) {
        const std::size_t i = first + lane;
        Entry entry{};
        unsigned digit = buckets; // of lanes behind the end
        if (i < count) {
            entry = from[i];
            digit = entry.key >> shift & (buckets - 1);
        }
        const unsigned peers = __match_any_sync(everybody, digit);
        const unsigned rank = static_cast<unsigned>(__popc(peers & ((1U << lane) - 1)));
        unsigned slot = 0;
        if (i < count) slot = next[digit] + rank;
        __syncwarp();
        if (i < count) {
            to[slot] = entry;
            if (rank == 0) next[digit] += static_cast<unsigned>(__popc(peers));
        }
        __syncwarp();
    }
}

/// A warp for each segment of equal keys: its lanes own the channels.
__global__ void add_tokens(DeviceTensor3<const float> dout, DeviceMatrix<float> dwte, const Entry* entries,
                           std::uint32_t behind) {
    const std::size_t count = dout.batch * dout.time;
    const std::size_t warps = static_cast<std::size_t>(gridDim.x) * (blockDim.x / lanes);
    for (std::size_t first = static_cast<std::size_t>(blockIdx.x) * (blockDim.x / lanes) + threadIdx.x / lanes;
         first < count; first += warps) {
        const std::uint32_t key = entries[first].key;
        if (key == behind || (first > 0 && entries[first - 1].key == key)) continue;
        for (std::size_t c = threadIdx.x % lanes; c < dout.channels; c += lanes) {
            float total = 0.0f;
            std::size_t i = first;
            while (i < count && entries[i].key == key) {
                float partial = 0.0f;
                for (std::size_t k = 0; k < terms_of_a_partial && i < count && entries[i].key == key; ++k, ++i)
                    partial += dout.data[entries[i].place * dout.channels + c];
                total += partial;
            }
            dwte(key, c) += total;
        }
    }
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const Status status = check(dout, ids, dwte, dwpe, options);
    if (status.code != Code::ok) return status;
    if (dout.batch == 0 || dout.time == 0 || dout.channels == 0) return Status{};

    const std::size_t places = dout.batch * dout.time;
    add_positions<<<blocks_for(dout.time * dout.channels, block_size), block_size, 0, stream>>>(dout, dwpe,
                                                                                               options.start);
    if (dwte.rows == 0) return Status{}; // no token has a row

    Entry* entries = nullptr;
    Entry* sorted = nullptr;
    cudaMallocAsync(reinterpret_cast<void**>(&entries), places * sizeof(Entry), stream);
    cudaMallocAsync(reinterpret_cast<void**>(&sorted), places * sizeof(Entry), stream);
    const std::uint32_t behind = static_cast<std::uint32_t>(std::min<std::size_t>(dwte.rows, 0x80000000U));
    make_entries<<<blocks_for(places, block_size), block_size, 0, stream>>>(ids, dwte.rows, options.padding_idx,
                                                                            behind, entries);
    const unsigned bits = static_cast<unsigned>(std::bit_width(behind - 1));
    unsigned shift = 0;
    do {
        sort_by_digit<<<1, lanes, 0, stream>>>(entries, sorted, places, shift);
        std::swap(entries, sorted);
        shift += digit_bits;
    } while (shift < bits);
    add_tokens<<<blocks_for(places, block_size / lanes), block_size, 0, stream>>>(dout, dwte, entries, behind);
    cudaFreeAsync(sorted, stream);
    cudaFreeAsync(entries, stream);
    return Status{};
}

} // namespace exercise

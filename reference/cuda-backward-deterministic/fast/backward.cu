#include "contract.h"

#include <cub/cub.cuh>

#include <algorithm>
#include <bit>

// The sums of ../backward.cu as fast as memory allows. The places are sorted by token; a warp takes 16
// neighbours in that order and makes the partial sums that begin among them, so a token that fills the batch
// keeps as many warps busy as a batch of different ones.
//
// Both gradients need every element of dout. The work therefore goes slab by slab over the columns, for
// positions and tokens at once: what one of them brings into the cache, the other finds there as long as a
// slab of all places fits.
namespace exercise {
namespace {

using Key = std::uint32_t; ///< a token, or `none`, which is larger than all of them

constexpr unsigned int warp = 32;
constexpr unsigned int warps_of_a_block = 8;
constexpr unsigned int block_size = warps_of_a_block * warp;
constexpr std::size_t max_blocks_for_runs = 2048;
constexpr unsigned int few = 8, many = 64; ///< loads of one thread under way
static_assert(2 * terms_of_a_partial == warp, "a warp sees where each partial that begins in its half ends");

/// A token with several partial sums: where the first and the last of them begin in sorted order.
struct Run {
    std::size_t first;
    std::size_t last;
};

/// Group g is the places 16 g, ..., 16 g + 15 of the sorted order. At most one partial that has a successor
/// begins there, since such a one has all its 16 terms, and at most one that is the last of several.
struct Work {
    DeviceTensor3<const float> dout;
    DeviceMatrix<float> dwte;
    DeviceMatrix<float> dwpe;
    std::size_t start;
    Key none;
    Key* keys = nullptr;             ///< (B * T), sorted
    std::size_t* places = nullptr;   ///< (B * T), where each of them stood: in reading order for equal keys
    float* with_successor = nullptr; ///< (groups, C)
    float* last = nullptr;           ///< (groups, C)
    Run* runs = nullptr;             ///< in any order
    unsigned long long* run_count = nullptr;
};

__global__ void make_keys(DeviceMatrix<const TokenId> ids, std::int64_t padding_idx, Key none, Key* keys,
                          std::size_t* places, unsigned long long* run_count) {
    const std::size_t place = std::size_t{blockIdx.x} * block_size + threadIdx.x;
    if (place == 0) *run_count = 0;
    if (place >= ids.rows * ids.cols) return;
    const TokenId id = ids(place / ids.cols, place % ids.cols);
    const bool counts = id >= 0 && static_cast<Key>(id) < none && id != padding_idx;
    keys[place] = counts ? static_cast<Key>(id) : none;
    places[place] = place;
}

__device__ void add(float& sum, float term) {
    sum += term;
}
__device__ void add(float4& sum, float4 term) {
    sum.x += term.x;
    sum.y += term.y;
    sum.z += term.z;
    sum.w += term.w;
}

/// Adds up to so many rows: all loads begin before the first addition. A full batch asks nothing in between.
template <class T, unsigned int size, bool full, class Row>
__device__ void add_batch(T& sum, std::size_t begin, std::size_t count, Row row) {
    T terms[size];
#pragma unroll
    for (unsigned int i = 0; i < size; ++i)
        if (full || begin + i < count) terms[i] = *reinterpret_cast<const T*>(row(begin + i));
#pragma unroll
    for (unsigned int i = 0; i < size; ++i)
        if (full || begin + i < count) add(sum, terms[i]);
}

/// 0 + *row(0) + *row(1) + ..., one after another. Additions wait for each other, loads do not.
template <class T, unsigned int in_flight, class Row>
__device__ T sum_in_order(std::size_t count, Row row) {
    T sum{};
    std::size_t done = 0;
    for (; done + in_flight <= count; done += in_flight)
        add_batch<T, in_flight, true>(sum, done, count, row);
    for (; done + few <= count; done += few)
        add_batch<T, few, true>(sum, done, count, row);
    if (done < count) add_batch<T, few, false>(sum, done, count, row);
    return sum;
}

/// The one time that a gradient is read and written. It is asked for first, and arrives with the terms.
template <class T, class Row>
__device__ void add_sum(float* gradient, std::size_t count, Row row) {
    T* const to = reinterpret_cast<T*>(gradient);
    T value = *to;
    add(value, sum_in_order<T, few>(count, row));
    *to = value;
}

template <class T>
__device__ void add_position(const Work& work, std::size_t t, std::size_t column) {
    add_sum<T>(work.dwpe.row(work.start + t) + column, work.dout.batch,
               [&](std::size_t b) { return work.dout.row(b, t) + column; });
}

/// Where the run begins that i lies in: back by strides that double, and the rest by strides that halve.
__device__ std::size_t run_of(const Key* keys, std::size_t i) {
    const Key key = keys[i];
    std::size_t stride = 1;
    for (; stride <= i && keys[i - stride] == key; stride *= 2)
        i -= stride;
    for (; stride > 0; stride /= 2)
        if (stride <= i && keys[i - stride] == key) i -= stride;
    return i;
}

/// The partial sums that begin in a group, made by a warp. That of a token which has no other goes to dwte.
template <class T>
__device__ void add_group(const Work& work, std::size_t group, std::size_t column) {
    constexpr unsigned int all = 0xffffffffu;
    const std::size_t C = work.dout.channels, places = work.dout.batch * work.dout.time;
    const unsigned int lane = threadIdx.x % warp;
    const std::size_t first = group * terms_of_a_partial, mine = first + lane;
    const auto key_at = [&](std::size_t i) { return i < places ? work.keys[i] : work.none; };
    const Key key = key_at(mine);
    const unsigned int heads = __ballot_sync(all, mine == 0 || key_at(mine - 1) != key);

    std::size_t run = 0;
    bool begins = false;
    if (lane < terms_of_a_partial && key < work.none) {
        const unsigned int up_to_here = heads & all >> (warp - 1 - lane);
        run = up_to_here != 0 ? first + (warp - 1 - __clz(up_to_here)) : run_of(work.keys, first);
        begins = (mine - run) % terms_of_a_partial == 0;
    }
    for (unsigned int left = __ballot_sync(all, begins); left != 0; left &= left - 1) {
        const int at = __ffs(left) - 1;
        const Run whole{__shfl_sync(all, run, at), first + at};
        const Key token = __shfl_sync(all, key, at);
        if (column >= C) continue; // a lane with nothing to add; its votes were needed
        const unsigned int later_heads = heads >> at >> 1;
        const std::size_t rest = later_heads != 0 ? __ffs(later_heads) : warp;
        const bool has_successor = rest > terms_of_a_partial;
        const std::size_t terms = has_successor ? terms_of_a_partial : rest;
        const auto row = [&](std::size_t i) {
            return work.dout.data + work.places[first + at + i] * C + column;
        };
        // A sum that began with 0.0f is no -0.0f, so 0.0f + partial has the bits of the partial.
        if (!has_successor && whole.first == whole.last) {
            add_sum<T>(work.dwte.row(token) + column, terms, row);
            continue;
        }
        float* const to = (has_successor ? work.with_successor : work.last) + group * C + column;
        const T partial = sum_in_order<T, few>(terms, row);
        *reinterpret_cast<T*>(to) = partial;
        if (!has_successor && column == 0) work.runs[atomicAdd(work.run_count, 1ull)] = whole;
    }
}

/// A warp a position or a group, and 32 * sizeof(T) bytes of each row, T being float or float4. Blocks begin
/// in the order of their numbers: one slab after another.
template <class T>
__global__ void add_slabs(Work work, std::size_t blocks_of_a_slab) {
    const std::size_t slab = blockIdx.x / blocks_of_a_slab, block = blockIdx.x % blocks_of_a_slab;
    const std::size_t column = (slab * warp + threadIdx.x % warp) * (sizeof(T) / sizeof(float));
    const std::size_t B = work.dout.batch, time = work.dout.time;
    const std::size_t position_blocks = (time + warps_of_a_block - 1) / warps_of_a_block;
    if (block < position_blocks) {
        const std::size_t t = block * warps_of_a_block + threadIdx.x / warp;
        if (t < time && column < work.dout.channels) add_position<T>(work, t, column);
    } else {
        const std::size_t group = (block - position_blocks) * warps_of_a_block + threadIdx.x / warp;
        if (group * terms_of_a_partial < B * time) add_group<T>(work, group, column);
    }
}

/// The totals of the tokens that have several partials. Here one column is a long chain of additions, so each
/// thread has one only, and many loads under way.
__global__ void add_runs(Work work) {
    const std::size_t C = work.dout.channels, pieces = (C + warp - 1) / warp;
    const std::size_t items = *work.run_count * pieces, warps = std::size_t{gridDim.x} * warps_of_a_block;
    for (std::size_t item = std::size_t{blockIdx.x} * warps_of_a_block + threadIdx.x / warp; item < items;
         item += warps) {
        const Run run = work.runs[item / pieces];
        const std::size_t column = item % pieces * warp + threadIdx.x % warp;
        if (column >= C) continue;
        const float* const partials = work.with_successor + run.first / terms_of_a_partial * C + column;
        float total = sum_in_order<float, many>((run.last - run.first) / terms_of_a_partial,
                                                [&](std::size_t i) { return partials + i * C; });
        total += work.last[run.last / terms_of_a_partial * C + column];
        work.dwte(work.keys[run.first], column) += total;
    }
}

/// One allocation for everything: each piece asks for its bytes and gets its distance from the beginning.
struct Memory {
    std::size_t bytes = 0;

    std::size_t piece(std::size_t size) {
        constexpr std::size_t alignment = 256;
        const std::size_t begin = bytes;
        bytes += (size + alignment - 1) / alignment * alignment;
        return begin;
    }
};

unsigned int blocks_for(std::size_t work, std::size_t of_a_block) {
    return static_cast<unsigned int>((work + of_a_block - 1) / of_a_block);
}

bool takes_four(const float* data, std::size_t stride) {
    return reinterpret_cast<std::uintptr_t>(data) % sizeof(float4) == 0 && stride % 4 == 0;
}

template <class T>
void add_gradients(const Work& work, std::size_t groups, cudaStream_t stream) {
    const std::size_t slabs = blocks_for(work.dout.channels, warp * sizeof(T) / sizeof(float));
    const std::size_t blocks =
        blocks_for(work.dout.time, warps_of_a_block) + std::size_t{blocks_for(groups, warps_of_a_block)};
    add_slabs<T><<<static_cast<unsigned int>(slabs * blocks), block_size, 0, stream>>>(work, blocks);
}

/// Ends at the first error, which stays with the runtime for cudaGetLastError: Status has no word for it.
void launch(Work work, DeviceMatrix<const TokenId> ids, std::int64_t padding_idx, cudaStream_t stream) {
    const std::size_t places = ids.rows * ids.cols, C = work.dout.channels;
    const std::size_t groups = (places + terms_of_a_partial - 1) / terms_of_a_partial;
    const std::size_t max_runs = places / (terms_of_a_partial + 1);
    // The least number of bits that tells all keys apart, `none` among them; a sort needs one.
    const int end_bit = std::max<int>(std::bit_width(work.none), 1);
    const auto sort = [&](void* scratch, std::size_t& bytes, const Key* keys, const std::size_t* unsorted) {
        return cub::DeviceRadixSort::SortPairs(scratch, bytes, keys, work.keys, unsorted, work.places, places,
                                               0, end_bit, stream);
    };
    std::size_t sort_bytes = 0;
    if (sort(nullptr, sort_bytes, nullptr, nullptr) != cudaSuccess) return;

    Memory memory;
    const std::size_t scratch = memory.piece(sort_bytes);
    const std::size_t unsorted_keys = memory.piece(places * sizeof(Key));
    const std::size_t unsorted_places = memory.piece(places * sizeof(std::size_t));
    const std::size_t keys = memory.piece(places * sizeof(Key));
    const std::size_t sorted_places = memory.piece(places * sizeof(std::size_t));
    const std::size_t with_successor = memory.piece(groups * C * sizeof(float));
    const std::size_t last = memory.piece(groups * C * sizeof(float));
    const std::size_t runs = memory.piece(max_runs * sizeof(Run));
    const std::size_t run_count = memory.piece(sizeof *work.run_count);
    char* base = nullptr;
    if (cudaMallocAsync(&base, memory.bytes, stream) != cudaSuccess) return;
    auto* const keys_in = reinterpret_cast<Key*>(base + unsorted_keys);
    auto* const places_in = reinterpret_cast<std::size_t*>(base + unsorted_places);
    work.keys = reinterpret_cast<Key*>(base + keys);
    work.places = reinterpret_cast<std::size_t*>(base + sorted_places);
    work.with_successor = reinterpret_cast<float*>(base + with_successor);
    work.last = reinterpret_cast<float*>(base + last);
    work.runs = reinterpret_cast<Run*>(base + runs);
    work.run_count = reinterpret_cast<unsigned long long*>(base + run_count);

    make_keys<<<blocks_for(places, block_size), block_size, 0, stream>>>(ids, padding_idx, work.none, keys_in,
                                                                         places_in, work.run_count);
    if (cudaPeekAtLastError() == cudaSuccess &&
        sort(base + scratch, sort_bytes, keys_in, places_in) == cudaSuccess) {
        const bool fours = takes_four(work.dout.data, C) && takes_four(work.dwte.data, work.dwte.stride) &&
                           takes_four(work.dwpe.data, work.dwpe.stride);
        fours ? add_gradients<float4>(work, groups, stream) : add_gradients<float>(work, groups, stream);
        const std::size_t items = max_runs * ((C + warp - 1) / warp);
        const std::size_t blocks =
            std::min<std::size_t>(blocks_for(items, warps_of_a_block), max_blocks_for_runs);
        if (blocks > 0 && cudaPeekAtLastError() == cudaSuccess)
            add_runs<<<static_cast<unsigned int>(blocks), block_size, 0, stream>>>(work);
    }
    cudaFreeAsync(base, stream);
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const std::size_t B = ids.rows, T = ids.cols, C = dout.channels;
    if (dout.batch != B || dout.time != T || dwte.cols != C || dwpe.cols != C) return {Code::shape_mismatch};
    const auto V = static_cast<std::int64_t>(dwte.rows);
    if (options.padding_idx >= V) return {Code::invalid_argument, 0, options.padding_idx, V};
    if (options.start > dwpe.rows || T > dwpe.rows - options.start) {
        const std::size_t position = std::max(options.start, dwpe.rows);
        return Status::position_out_of_range(position - options.start, static_cast<std::int64_t>(position),
                                             dwpe.rows);
    }
    if (B * T * C == 0) return {};
    constexpr std::size_t max_tokens = std::size_t{1} << 31; // an id has 31 bits
    const auto none = static_cast<Key>(std::min(dwte.rows, max_tokens));
    launch({dout, dwte, dwpe, options.start, none}, ids, options.padding_idx, stream);
    return {};
}

} // namespace exercise

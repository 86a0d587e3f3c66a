// right: a hash table of the ids of the call (no memory in proportion to V), then one single warp walks the text 32 places at a time and chains equal ids; a warp for each first place follows its chain
#include "contract.h"

namespace exercise {
namespace {

using Index = unsigned long long;
constexpr Index nobody = ~0ull;

__global__ void clear_table(TokenId* keys, Index* last, Index slots) {
    for (Index s = (Index)blockIdx.x * blockDim.x + threadIdx.x; s < slots; s += (Index)gridDim.x * blockDim.x) {
        keys[s] = -1;
        last[s] = nobody;
    }
}

/// slot[i]: where the id of place i is in the table. Which slot an id gets may differ from run to run.
__global__ void enter(DeviceMatrix<const TokenId> ids, Index count, Index vocabulary, long long padding,
                      TokenId* keys, Index slots, Index* slot) {
    for (Index i = (Index)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (Index)gridDim.x * blockDim.x) {
        const TokenId id = ids.row(i / ids.cols)[i % ids.cols];
        Index s = nobody;
        if (id >= 0 && (Index)id < vocabulary && id != padding) {
            s = (Index)id * 0x9E3779B97F4A7C15ull >> 17 & (slots - 1);
            for (;;) {
                const TokenId found = atomicCAS(&keys[s], -1, id);
                if (found == -1 || found == id) break;
                s = (s + 1) & (slots - 1);
            }
        }
        slot[i] = s;
    }
}

/// Launched as one block of 32. next[i]: the next place with the id of place i. first[i]: no place before i has
/// its id.
__global__ void chain(const Index* slot, Index count, Index* last, Index* next, unsigned char* first) {
    const unsigned lane = threadIdx.x;
    for (Index base = 0; base < count; base += 32) {
        const Index i = base + lane;
        const Index mine = i < count ? slot[i] : nobody;
        unsigned same = 0;
        for (int k = 0; k < 32; ++k)
            if (__shfl_sync(0xffffffffu, mine, k) == mine) same |= 1u << k;
        if (mine != nobody) {
            const unsigned below = same & ((1u << lane) - 1u);
            const unsigned above = same & ~((2u << lane) - 1u);
            if (below == 0) {
                const Index previous = last[mine];
                first[i] = previous == nobody;
                if (previous != nobody) next[previous] = i;
            } else {
                first[i] = 0;
            }
            next[i] = above != 0 ? base + (unsigned)(__ffs((int)above) - 1) : nobody;
        } else if (i < count) {
            first[i] = 0;
        }
        __syncthreads(); // all have read `last`
        if (mine != nobody && (same & ~((2u << lane) - 1u)) == 0) last[mine] = i;
        __syncthreads();
    }
}

__global__ void follow(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, const Index* next,
                       const unsigned char* first, DeviceMatrix<float> dwte) {
    const Index count = (Index)dout.batch * dout.time;
    const Index channels = dout.channels;
    const unsigned lane = threadIdx.x % 32;
    const Index warps = (Index)gridDim.x * (blockDim.x / 32);
    for (Index i = (Index)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; i < count; i += warps) {
        if (!first[i]) continue;
        float* row = dwte.row(static_cast<std::size_t>(ids.row(i / ids.cols)[i % ids.cols]));
        for (Index c = lane; c < channels; c += 32) {
            float total = 0.0f, partial = 0.0f;
            std::size_t terms = 0;
            for (Index place = i; place != nobody; place = next[place]) {
                partial += dout.data[place * channels + c];
                if (++terms == terms_of_a_partial) {
                    total += partial;
                    partial = 0.0f;
                    terms = 0;
                }
            }
            if (terms > 0) total += partial;
            row[c] += total;
        }
    }
}

__global__ void positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const Index channels = dout.channels;
    for (Index t = blockIdx.x; t < dout.time; t += gridDim.x) {
        float* row = dwpe.row(start + t);
        for (Index c = threadIdx.x; c < channels; c += blockDim.x) {
            float sum = 0.0f;
            for (Index b = 0; b < dout.batch; ++b) sum += dout(b, t, c);
            row[c] += sum;
        }
    }
}

unsigned blocks_for(Index items, unsigned per_block) {
    const Index blocks = (items + per_block - 1) / per_block;
    return blocks < 2048 ? static_cast<unsigned>(blocks) : 2048u;
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const std::size_t B = dout.batch, T = dout.time, C = dout.channels;
    if (ids.rows != B || ids.cols != T || dwte.cols != C || dwpe.cols != C) return Status{Code::shape_mismatch};
    const std::int64_t V = static_cast<std::int64_t>(dwte.rows);
    if (options.padding_idx >= V) return Status{Code::invalid_argument, 0, options.padding_idx, V};
    const std::size_t p = options.start < dwpe.rows ? dwpe.rows : options.start;
    if (p != dwpe.rows || T > p - options.start)
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
    if (B == 0 || T == 0 || C == 0) return Status{};

    const Index count = (Index)B * T;
    Index slots = 2;
    while (slots < 2 * count) slots *= 2;
    const unsigned threads = options.threads;

    TokenId* keys = nullptr;
    Index *last = nullptr, *slot = nullptr, *next = nullptr;
    unsigned char* first = nullptr;
    cudaMallocAsync(&keys, slots * sizeof *keys, stream);
    cudaMallocAsync(&last, slots * sizeof *last, stream);
    cudaMallocAsync(&slot, count * sizeof *slot, stream);
    clear_table<<<blocks_for(slots, threads), threads, 0, stream>>>(keys, last, slots);
    enter<<<blocks_for(count, threads), threads, 0, stream>>>(ids, count, dwte.rows, options.padding_idx, keys, slots, slot);
    cudaFreeAsync(keys, stream);
    cudaMallocAsync(&next, count * sizeof *next, stream);
    cudaMallocAsync(&first, count, stream);
    chain<<<1, 32, 0, stream>>>(slot, count, last, next, first);
    cudaFreeAsync(last, stream);
    cudaFreeAsync(slot, stream);
    follow<<<blocks_for(count, threads / 32), threads, 0, stream>>>(dout, ids, next, first, dwte);
    cudaFreeAsync(next, stream);
    cudaFreeAsync(first, stream);
    positions<<<blocks_for(T, 1), threads, 0, stream>>>(dout, dwpe, options.start);
    return Status{};
}

} // namespace exercise

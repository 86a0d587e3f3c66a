#pragma once

/// Cooperative groups: a block, its tiles of up to 32 threads, the lanes that are together, and the grid of a
/// cooperative launch. Every call that waits carries its line.

#include "cuda_runtime.h"

namespace cooperative_groups {

namespace emulated {

CUDA_EMULATOR_INLINE unsigned int thread_in_block() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
CUDA_EMULATOR_INLINE unsigned int threads_in_block() {
    return blockDim.x * blockDim.y * blockDim.z;
}
CUDA_EMULATOR_INLINE unsigned int lane() {
    return thread_in_block() % 32;
}
/// The lanes of a tile that begins at a multiple of its size.
CUDA_EMULATOR_INLINE unsigned int tile_mask(unsigned int size) {
    return (size == 32 ? ~0u : (1u << size) - 1) << lane() / size * size;
}
/// The lane with a rank in a mask.
CUDA_EMULATOR_INLINE int lane_of_rank(unsigned int mask, unsigned int rank) {
    return static_cast<int>(cuda_emulator::nth_set_bit(mask, 0, static_cast<int>(rank) + 1));
}
CUDA_EMULATOR_INLINE unsigned int rank_in(unsigned int mask) {
    return static_cast<unsigned int>(__builtin_popcount(mask & ((1u << lane()) - 1)));
}

/// A value of any size from the lane with a rank.
template <class T>
CUDA_EMULATOR_INLINE T value_from(unsigned int mask, const T& value, int lane, int line) {
    constexpr std::size_t words = (sizeof(T) + 7) / 8;
    std::uint64_t bits[words] = {};
    __builtin_memcpy(bits, &value, sizeof(T));
    for (std::size_t i = 0; i < words; ++i)
        bits[i] = cuda_emulator::warp_call(cuda_emulator::WarpCall::shuffle, mask, bits[i],
                                           static_cast<unsigned int>(lane), 32, line);
    T received;
    __builtin_memcpy(static_cast<void*>(&received), bits, sizeof(T));
    return received;
}

/// What all groups of lanes of one warp can do. Ranks count the lanes of the group.
class Lanes {
  public:
    CUDA_EMULATOR_INLINE unsigned int thread_rank() const { return rank_in(mask_); }
    CUDA_EMULATOR_INLINE unsigned int size() const {
        return static_cast<unsigned int>(__builtin_popcount(mask_));
    }
    CUDA_EMULATOR_INLINE unsigned int num_threads() const { return size(); }
    CUDA_EMULATOR_INLINE void sync(int line = __builtin_LINE()) const { __syncwarp(mask_, line); }
    template <class T>
    CUDA_EMULATOR_INLINE T shfl(T value, int rank, int line = __builtin_LINE()) const {
        const unsigned int from = static_cast<unsigned int>(rank) % size();
        return value_from(mask_, value, lane_of_rank(mask_, from), line);
    }
    template <class T>
    CUDA_EMULATOR_INLINE T shfl_up(T value, unsigned int delta, int line = __builtin_LINE()) const {
        const unsigned int mine = thread_rank();
        return value_from(mask_, value, lane_of_rank(mask_, mine < delta ? mine : mine - delta), line);
    }
    template <class T>
    CUDA_EMULATOR_INLINE T shfl_down(T value, unsigned int delta, int line = __builtin_LINE()) const {
        const unsigned int mine = thread_rank();
        return value_from(mask_, value, lane_of_rank(mask_, mine + delta < size() ? mine + delta : mine),
                          line);
    }
    template <class T>
    CUDA_EMULATOR_INLINE T shfl_xor(T value, unsigned int bits, int line = __builtin_LINE()) const {
        const unsigned int other = thread_rank() ^ bits;
        return value_from(mask_, value, lane_of_rank(mask_, other < size() ? other : thread_rank()), line);
    }
    CUDA_EMULATOR_INLINE int any(int predicate, int line = __builtin_LINE()) const {
        return __any_sync(mask_, predicate, line);
    }
    CUDA_EMULATOR_INLINE int all(int predicate, int line = __builtin_LINE()) const {
        return __all_sync(mask_, predicate, line);
    }
    CUDA_EMULATOR_INLINE unsigned int ballot(int predicate, int line = __builtin_LINE()) const {
        return packed(__ballot_sync(mask_, predicate, line));
    }
    template <class T>
    CUDA_EMULATOR_INLINE unsigned int match_any(T value, int line = __builtin_LINE()) const {
        return packed(__match_any_sync(mask_, value, line));
    }
    template <class T>
    CUDA_EMULATOR_INLINE unsigned int match_all(T value, int& agreed, int line = __builtin_LINE()) const {
        return packed(__match_all_sync(mask_, value, &agreed, line));
    }
    /// The lanes of the group, which is no part of CUDA's interface.
    CUDA_EMULATOR_INLINE unsigned int cuda_emulator_mask() const { return mask_; }

  protected:
    CUDA_EMULATOR_INLINE explicit Lanes(unsigned int mask) : mask_(mask) {}

  private:
    /// Bits of lanes as bits of ranks.
    CUDA_EMULATOR_INLINE unsigned int packed(unsigned int lanes) const {
        unsigned int out = 0, rank = 0;
        for (unsigned int left = mask_; left != 0; left &= left - 1, ++rank)
            if (lanes & left & -left) out |= 1u << rank;
        return out;
    }

    unsigned int mask_;
};

} // namespace emulated

class coalesced_group : public emulated::Lanes {
  public:
    CUDA_EMULATOR_INLINE explicit coalesced_group(unsigned int mask) : Lanes(mask) {}
    CUDA_EMULATOR_INLINE unsigned long long meta_group_rank() const { return 0; }
    CUDA_EMULATOR_INLINE unsigned long long meta_group_size() const { return 1; }
};

CUDA_EMULATOR_INLINE coalesced_group coalesced_threads(int line = __builtin_LINE()) {
    return coalesced_group(__activemask(line));
}

/// All threads of the block.
class thread_block {
  public:
    static CUDA_EMULATOR_INLINE void sync(int line = __builtin_LINE()) { __syncthreads(line); }
    static CUDA_EMULATOR_INLINE unsigned int thread_rank() { return emulated::thread_in_block(); }
    static CUDA_EMULATOR_INLINE unsigned int size() { return emulated::threads_in_block(); }
    static CUDA_EMULATOR_INLINE unsigned int num_threads() { return emulated::threads_in_block(); }
    static CUDA_EMULATOR_INLINE dim3 thread_index() { return threadIdx; }
    static CUDA_EMULATOR_INLINE dim3 group_index() { return blockIdx; }
    static CUDA_EMULATOR_INLINE dim3 dim_threads() { return blockDim; }
    static CUDA_EMULATOR_INLINE dim3 group_dim() { return blockDim; }
};
CUDA_EMULATOR_INLINE thread_block this_thread_block() {
    return {};
}

/// Tiles of a number of threads that the compiler knows, one beside the other in a block.
template <unsigned int Size, class Parent = void>
class thread_block_tile : public emulated::Lanes {
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads here");

  public:
    CUDA_EMULATOR_INLINE thread_block_tile() : Lanes(emulated::tile_mask(Size)) {}
    static CUDA_EMULATOR_INLINE constexpr unsigned int size() { return Size; }
    static CUDA_EMULATOR_INLINE constexpr unsigned int num_threads() { return Size; }
    static CUDA_EMULATOR_INLINE unsigned int meta_group_rank() { return emulated::thread_in_block() / Size; }
    static CUDA_EMULATOR_INLINE unsigned int meta_group_size() {
        return (emulated::threads_in_block() + Size - 1) / Size;
    }
};

/// A group whose kind is known only when it runs.
class thread_group {
  public:
    CUDA_EMULATOR_INLINE thread_group(thread_block) : mask_(0) {}
    CUDA_EMULATOR_INLINE thread_group(const emulated::Lanes& lanes) : mask_(lanes.cuda_emulator_mask()) {}
    CUDA_EMULATOR_INLINE explicit thread_group(unsigned int mask) : mask_(mask) {}
    CUDA_EMULATOR_INLINE void sync(int line = __builtin_LINE()) const {
        if (mask_ == 0)
            __syncthreads(line);
        else
            __syncwarp(mask_, line);
    }
    CUDA_EMULATOR_INLINE unsigned int thread_rank() const {
        return mask_ == 0 ? emulated::thread_in_block() : emulated::rank_in(mask_);
    }
    CUDA_EMULATOR_INLINE unsigned int size() const {
        return mask_ == 0 ? emulated::threads_in_block()
                          : static_cast<unsigned int>(__builtin_popcount(mask_));
    }
    CUDA_EMULATOR_INLINE unsigned int num_threads() const { return size(); }

  private:
    unsigned int mask_; ///< 0 stands for the block
};

template <unsigned int Size, class Parent>
CUDA_EMULATOR_INLINE thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
    return {};
}
CUDA_EMULATOR_INLINE thread_group tiled_partition(const thread_group&, unsigned int size) {
    return thread_group(emulated::tile_mask(size));
}
/// The lanes of a group whose predicates, or labels, are equal.
template <class Group>
CUDA_EMULATOR_INLINE coalesced_group binary_partition(const Group& group, bool predicate,
                                                      int line = __builtin_LINE()) {
    return coalesced_group(__match_any_sync(group.cuda_emulator_mask(), static_cast<int>(predicate), line));
}
template <class Group, class Label>
CUDA_EMULATOR_INLINE coalesced_group labeled_partition(const Group& group, Label label,
                                                       int line = __builtin_LINE()) {
    return coalesced_group(__match_any_sync(group.cuda_emulator_mask(), label, line));
}

/// All threads of a cooperative launch.
class grid_group {
  public:
    static CUDA_EMULATOR_INLINE void sync(int line = __builtin_LINE()) { cuda_emulator::grid_barrier(line); }
    static CUDA_EMULATOR_INLINE bool is_valid() { return true; }
    static CUDA_EMULATOR_INLINE unsigned long long num_blocks() {
        return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
    }
    static CUDA_EMULATOR_INLINE unsigned long long block_rank() {
        return blockIdx.x +
               gridDim.x * (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
    }
    static CUDA_EMULATOR_INLINE unsigned long long size() {
        return num_blocks() * emulated::threads_in_block();
    }
    static CUDA_EMULATOR_INLINE unsigned long long num_threads() { return size(); }
    static CUDA_EMULATOR_INLINE unsigned long long thread_rank() {
        return block_rank() * emulated::threads_in_block() + emulated::thread_in_block();
    }
    static CUDA_EMULATOR_INLINE dim3 group_dim() { return gridDim; }
    static CUDA_EMULATOR_INLINE dim3 dim_blocks() { return gridDim; }
    static CUDA_EMULATOR_INLINE dim3 block_index() { return blockIdx; }
};
CUDA_EMULATOR_INLINE grid_group this_grid() {
    return {};
}

template <class Group>
CUDA_EMULATOR_INLINE void sync(const Group& group, int line = __builtin_LINE()) {
    group.sync(line);
}
template <class Group>
CUDA_EMULATOR_INLINE auto thread_rank(const Group& group) {
    return group.thread_rank();
}
template <class Group>
CUDA_EMULATOR_INLINE auto group_size(const Group& group) {
    return group.size();
}

} // namespace cooperative_groups

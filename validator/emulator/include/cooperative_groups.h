#pragma once

/// Cooperative groups: a block, its tiles of up to 1,024 threads, the lanes that are together, and the grid
/// of a cooperative launch. Every call that waits carries its line.

#include "cuda_runtime.h"

#include "cuda_emulator/groups.h"

namespace cooperative_groups {

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
    __attribute__((unavailable("the emulator does not split barriers: call sync()"))) int
    barrier_arrive() const;
};
CUDA_EMULATOR_INLINE thread_block this_thread_block() {
    return {};
}
/// Shared memory that older devices need for tiles of several warps.
template <unsigned int MaxBlockSize = 1024>
struct block_tile_memory {
    std::uint64_t of_each_warp[MaxBlockSize / 32];
};
template <unsigned int MaxBlockSize>
CUDA_EMULATOR_INLINE thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
    return {};
}

template <unsigned int Size, class Parent = void>
class thread_block_tile : public emulated::Tile<Size> {
    static_assert(Size >= 1 && Size <= 1024 && (Size & (Size - 1)) == 0,
                  "the threads of a tile are a power of two, from 1 to 1024");

  public:
    static CUDA_EMULATOR_INLINE constexpr unsigned int size() { return Size; }
    static CUDA_EMULATOR_INLINE constexpr unsigned int num_threads() { return Size; }
    static CUDA_EMULATOR_INLINE unsigned int meta_group_rank() {
        return emulated::thread_in_block() % Parent::size() / Size;
    }
    static CUDA_EMULATOR_INLINE unsigned int meta_group_size() { return (Parent::size() + Size - 1) / Size; }
};
/// Any tile of that size.
template <unsigned int Size>
class thread_block_tile<Size, void> : public emulated::Tile<Size> {
  public:
    template <class Parent>
    CUDA_EMULATOR_INLINE thread_block_tile(const thread_block_tile<Size, Parent>& tile)
        : rank_(tile.meta_group_rank()), tiles_(tile.meta_group_size()) {}
    static CUDA_EMULATOR_INLINE constexpr unsigned int size() { return Size; }
    static CUDA_EMULATOR_INLINE constexpr unsigned int num_threads() { return Size; }
    CUDA_EMULATOR_INLINE unsigned int meta_group_rank() const { return rank_; }
    CUDA_EMULATOR_INLINE unsigned int meta_group_size() const { return tiles_; }

  private:
    unsigned int rank_, tiles_;
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

namespace emulated {

/// Threads that a parent of tiles can have; 0 of what cannot be one.
template <class Parent>
inline constexpr unsigned int most_threads = 0;
template <>
inline constexpr unsigned int most_threads<thread_block> = 1024;
template <unsigned int Size, class Parent>
inline constexpr unsigned int most_threads<thread_block_tile<Size, Parent>> = Size;

} // namespace emulated

template <unsigned int Size, class Parent>
CUDA_EMULATOR_INLINE thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
    static_assert(emulated::most_threads<Parent> > 0, "a thread_block or another tile can be cut into tiles");
    static_assert(emulated::most_threads<Parent> == 0 || Size <= emulated::most_threads<Parent>,
                  "a tile has no more threads than what it is cut from");
    return thread_block_tile<Size, Parent>();
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

/// One thread of the group does it; of those that are here, the first.
template <class Group, class Work, class... Arguments>
CUDA_EMULATOR_INLINE void invoke_one(const Group& group, Work&& work, Arguments&&... arguments) {
    if (group.thread_rank() == 0) work(static_cast<Arguments&&>(arguments)...);
}
/// The same, and all receive what it returns. Behind a pack of arguments is no place for the caller's line.
template <class Group, class Work, class... Arguments>
CUDA_EMULATOR_INLINE auto invoke_one_broadcast(const Group& group, Work&& work, Arguments&&... arguments) {
    decltype(work(static_cast<Arguments&&>(arguments)...)) result{};
    if (group.thread_rank() == 0) result = work(static_cast<Arguments&&>(arguments)...);
    return group.shfl(result, 0, 0);
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

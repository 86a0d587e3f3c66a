#pragma once

/// What cooperative groups are made of: lanes of a warp, and tiles of one warp or several.
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

/// A value of any size, exchanged eight bytes at a time.
template <class T, class Exchange>
CUDA_EMULATOR_INLINE T exchanged(const T& value, Exchange exchange) {
    constexpr std::size_t words = (sizeof(T) + 7) / 8;
    std::uint64_t bits[words] = {};
    __builtin_memcpy(bits, &value, sizeof(T));
    for (std::size_t i = 0; i < words; ++i)
        bits[i] = exchange(bits[i]);
    T received;
    __builtin_memcpy(static_cast<void*>(&received), bits, sizeof(T));
    return received;
}
/// A value from the lane with a rank.
template <class T>
CUDA_EMULATOR_INLINE T value_from(unsigned int mask, const T& value, int lane, int line) {
    return exchanged(value, [=](std::uint64_t bits) {
        return cuda_emulator::warp_call(cuda_emulator::WarpCall::shuffle, mask, bits,
                                        static_cast<unsigned int>(lane), 32, line);
    });
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

/// Tiles of a number of threads that the compiler knows, one beside the other in a block.
template <unsigned int Size, bool = (Size > 32)>
class Tile : public Lanes {
  protected:
    CUDA_EMULATOR_INLINE Tile() : Lanes(tile_mask(Size)) {}
};
/// Those of several warps can do less.
template <unsigned int Size>
class Tile<Size, true> {
    using Call = cuda_emulator::TileCall;

  public:
    static CUDA_EMULATOR_INLINE unsigned int thread_rank() { return thread_in_block() % Size; }
    static CUDA_EMULATOR_INLINE void sync(int line = __builtin_LINE()) { call(Call::sync, 0, 0, line); }
    static CUDA_EMULATOR_INLINE int any(int predicate, int line = __builtin_LINE()) {
        return static_cast<int>(call(Call::any, predicate != 0, 0, line));
    }
    static CUDA_EMULATOR_INLINE int all(int predicate, int line = __builtin_LINE()) {
        return static_cast<int>(call(Call::all, predicate != 0, 0, line));
    }
    template <class T>
    static CUDA_EMULATOR_INLINE T shfl(T value, int rank, int line = __builtin_LINE()) {
        return exchanged(value, [=](std::uint64_t bits) {
            return call(Call::shuffle, bits, static_cast<unsigned int>(rank), line);
        });
    }

  private:
    static CUDA_EMULATOR_INLINE std::uint64_t call(Call kind, std::uint64_t value, unsigned int source,
                                                   int line) {
        return cuda_emulator::tile_call(kind, Size, value, source, line);
    }
};

} // namespace emulated

} // namespace cooperative_groups

#pragma once

/// Barriers, votes and shuffles. Every call carries its line, so that a barrier that part of a block misses
/// can be named. A shuffle moves the bits of a value of up to 8 bytes.
namespace cuda_emulator {

enum class Barrier { plain, count, all, any };
enum class WarpCall {
    sync,
    shuffle,
    shuffle_up,
    shuffle_down,
    shuffle_xor,
    ballot,
    all,
    any,
    match_any,
    match_all,
    add,
    min_signed,
    min_unsigned,
    max_signed,
    max_unsigned,
    bit_and,
    bit_or,
    bit_xor,
    active ///< completes with the lanes that came, once no other can come
};

enum class TileCall { sync, any, all, shuffle };

int block_barrier(Barrier kind, int predicate, int line);
/// `argument` is the source lane, the delta or the lane mask of a shuffle; `width` its segment.
std::uint64_t warp_call(WarpCall kind, unsigned int mask, std::uint64_t value, unsigned int argument,
                        int width, int line);
/// What all threads of a tile of `size`, more than a warp has, do together. `source` is the rank that a
/// shuffle reads from.
std::uint64_t tile_call(TileCall kind, unsigned int size, std::uint64_t value, unsigned int source, int line);
/// Waits for every thread of the grid, which a cooperative launch has running all at once.
void grid_barrier(int line);
void fence(Scope scope);
/// Lets the other threads run: this one waits for what one of them will do.
void pause_thread();
/// This thread has left a loop in which it waited.
void waited();
/// Once in a while, lets the other threads run: this one looks for what one of them will do, and counts how
/// often.
void poll();
/// A number that grows from call to call.
long long clock_value();
unsigned int lane_index();
[[noreturn]] void trap(int line);

template <class T>
CUDA_EMULATOR_INLINE T shuffle(WarpCall kind, unsigned int mask, T value, unsigned int argument, int width,
                               int line) {
    static_assert(sizeof(T) <= sizeof(std::uint64_t));
    std::uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    bits = warp_call(kind, mask, bits, argument, width, line);
    T received;
    __builtin_memcpy(static_cast<void*>(&received), &bits, sizeof(T));
    return received;
}

} // namespace cuda_emulator

CUDA_EMULATOR_INLINE void __syncthreads(int line = __builtin_LINE()) {
    cuda_emulator::block_barrier(cuda_emulator::Barrier::plain, 0, line);
}
CUDA_EMULATOR_INLINE int __syncthreads_count(int predicate, int line = __builtin_LINE()) {
    return cuda_emulator::block_barrier(cuda_emulator::Barrier::count, predicate, line);
}
CUDA_EMULATOR_INLINE int __syncthreads_and(int predicate, int line = __builtin_LINE()) {
    return cuda_emulator::block_barrier(cuda_emulator::Barrier::all, predicate, line);
}
CUDA_EMULATOR_INLINE int __syncthreads_or(int predicate, int line = __builtin_LINE()) {
    return cuda_emulator::block_barrier(cuda_emulator::Barrier::any, predicate, line);
}
CUDA_EMULATOR_INLINE void __syncwarp(unsigned int mask = 0xffffffffu, int line = __builtin_LINE()) {
    cuda_emulator::warp_call(cuda_emulator::WarpCall::sync, mask, 0, 0, 32, line);
}
CUDA_EMULATOR_INLINE void __threadfence() {
    cuda_emulator::fence(cuda_emulator::Scope::device);
}
CUDA_EMULATOR_INLINE void __threadfence_block() {
    cuda_emulator::fence(cuda_emulator::Scope::block);
}
CUDA_EMULATOR_INLINE void __threadfence_system() {
    cuda_emulator::fence(cuda_emulator::Scope::system);
}
CUDA_EMULATOR_INLINE unsigned int __activemask(int line = __builtin_LINE()) {
    return static_cast<unsigned int>(
        cuda_emulator::warp_call(cuda_emulator::WarpCall::active, ~0u, 0, 0, 32, line));
}
CUDA_EMULATOR_INLINE void __nanosleep(unsigned int) {
    cuda_emulator::pause_thread();
}
CUDA_EMULATOR_INLINE long long clock64() {
    return cuda_emulator::clock_value();
}
CUDA_EMULATOR_DEVICE void __brkpt() {}
CUDA_EMULATOR_DEVICE void __prof_trigger(int) {}
[[noreturn]] CUDA_EMULATOR_INLINE void __trap(int line = __builtin_LINE()) {
    cuda_emulator::trap(line);
}

CUDA_EMULATOR_INLINE unsigned int __ballot_sync(unsigned int mask, int predicate,
                                                int line = __builtin_LINE()) {
    return static_cast<unsigned int>(
        cuda_emulator::warp_call(cuda_emulator::WarpCall::ballot, mask, predicate != 0, 0, 32, line));
}
CUDA_EMULATOR_INLINE int __all_sync(unsigned int mask, int predicate, int line = __builtin_LINE()) {
    return static_cast<int>(
        cuda_emulator::warp_call(cuda_emulator::WarpCall::all, mask, predicate != 0, 0, 32, line));
}
CUDA_EMULATOR_INLINE int __any_sync(unsigned int mask, int predicate, int line = __builtin_LINE()) {
    return static_cast<int>(
        cuda_emulator::warp_call(cuda_emulator::WarpCall::any, mask, predicate != 0, 0, 32, line));
}

#define CUDA_EMULATOR_REDUCE(name, type, kind)                                                               \
    CUDA_EMULATOR_INLINE type name(unsigned int mask, type value, int line = __builtin_LINE()) {             \
        return static_cast<type>(cuda_emulator::warp_call(cuda_emulator::WarpCall::kind, mask,               \
                                                          static_cast<unsigned int>(value), 0, 32, line));   \
    }
CUDA_EMULATOR_REDUCE(__reduce_add_sync, unsigned int, add)
CUDA_EMULATOR_REDUCE(__reduce_add_sync, int, add)
CUDA_EMULATOR_REDUCE(__reduce_min_sync, unsigned int, min_unsigned)
CUDA_EMULATOR_REDUCE(__reduce_min_sync, int, min_signed)
CUDA_EMULATOR_REDUCE(__reduce_max_sync, unsigned int, max_unsigned)
CUDA_EMULATOR_REDUCE(__reduce_max_sync, int, max_signed)
CUDA_EMULATOR_REDUCE(__reduce_and_sync, unsigned int, bit_and)
CUDA_EMULATOR_REDUCE(__reduce_or_sync, unsigned int, bit_or)
CUDA_EMULATOR_REDUCE(__reduce_xor_sync, unsigned int, bit_xor)
#undef CUDA_EMULATOR_REDUCE

/// The shuffles and matches of one type; the half precision headers add theirs.
#define CUDA_EMULATOR_SHUFFLES(type)                                                                         \
    CUDA_EMULATOR_INLINE type __shfl_sync(unsigned int mask, type value, int lane, int width = 32,           \
                                          int line = __builtin_LINE()) {                                     \
        return cuda_emulator::shuffle(cuda_emulator::WarpCall::shuffle, mask, value,                         \
                                      static_cast<unsigned int>(lane), width, line);                         \
    }                                                                                                        \
    CUDA_EMULATOR_INLINE type __shfl_up_sync(unsigned int mask, type value, unsigned int delta,              \
                                             int width = 32, int line = __builtin_LINE()) {                  \
        return cuda_emulator::shuffle(cuda_emulator::WarpCall::shuffle_up, mask, value, delta, width, line); \
    }                                                                                                        \
    CUDA_EMULATOR_INLINE type __shfl_down_sync(unsigned int mask, type value, unsigned int delta,            \
                                               int width = 32, int line = __builtin_LINE()) {                \
        return cuda_emulator::shuffle(cuda_emulator::WarpCall::shuffle_down, mask, value, delta, width,      \
                                      line);                                                                 \
    }                                                                                                        \
    CUDA_EMULATOR_INLINE type __shfl_xor_sync(unsigned int mask, type value, int lane_mask, int width = 32,  \
                                              int line = __builtin_LINE()) {                                 \
        return cuda_emulator::shuffle(cuda_emulator::WarpCall::shuffle_xor, mask, value,                     \
                                      static_cast<unsigned int>(lane_mask), width, line);                    \
    }
#define CUDA_EMULATOR_MATCHES(type)                                                                          \
    CUDA_EMULATOR_INLINE unsigned int __match_any_sync(unsigned int mask, type value,                        \
                                                       int line = __builtin_LINE()) {                        \
        return cuda_emulator::match<type>(cuda_emulator::WarpCall::match_any, mask, value, line);            \
    }                                                                                                        \
    CUDA_EMULATOR_INLINE unsigned int __match_all_sync(unsigned int mask, type value, int* agreed,           \
                                                       int line = __builtin_LINE()) {                        \
        const unsigned int lanes =                                                                           \
            cuda_emulator::match<type>(cuda_emulator::WarpCall::match_all, mask, value, line);               \
        *agreed = lanes != 0;                                                                                \
        return lanes;                                                                                        \
    }

namespace cuda_emulator {
template <class T>
CUDA_EMULATOR_INLINE unsigned int match(WarpCall kind, unsigned int mask, T value, int line) {
    std::uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    return static_cast<unsigned int>(warp_call(kind, mask, bits, 0, 32, line));
}
} // namespace cuda_emulator

#define CUDA_EMULATOR_ALL(row)                                                                               \
    row(int) row(unsigned int) row(long) row(unsigned long) row(long long) row(unsigned long long)           \
        row(float) row(double)
CUDA_EMULATOR_ALL(CUDA_EMULATOR_SHUFFLES)
CUDA_EMULATOR_ALL(CUDA_EMULATOR_MATCHES)
#undef CUDA_EMULATOR_ALL

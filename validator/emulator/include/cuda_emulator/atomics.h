#pragma once

/// Atomic operations. One thread runs at a time, so a read and a write in a row are indivisible; a trace is
/// told that the pair is atomic, and the two single accesses, being atomic themselves, are not recorded
/// again.
namespace cuda_emulator {

void record_atomic(const void* address, std::size_t bytes);
void note_failed_exchange();

template <class T, class Change>
CUDA_EMULATOR_INLINE T atomic_update(T* address, Change change) {
#if defined(__SANITIZE_THREAD__)
    record_atomic(address, sizeof(T));
#endif
    T old;
    __atomic_load(address, &old, __ATOMIC_RELAXED);
    T updated = change(old);
    __atomic_store(address, &updated, __ATOMIC_RELAXED);
    return old;
}

} // namespace cuda_emulator

#define CUDA_EMULATOR_ATOMIC_IN_SCOPE(name, type, expression)                                                \
    CUDA_EMULATOR_INLINE type name(type* address, type value) {                                              \
        return cuda_emulator::atomic_update(address, [value](type old) -> type { return expression; });      \
    }
#define CUDA_EMULATOR_ATOMIC(name, type, expression)                                                         \
    CUDA_EMULATOR_ATOMIC_IN_SCOPE(name, type, expression)                                                    \
    CUDA_EMULATOR_ATOMIC_IN_SCOPE(name##_block, type, expression)                                            \
    CUDA_EMULATOR_ATOMIC_IN_SCOPE(name##_system, type, expression)

// Signed sums wrap around, as the device's do.
#define CUDA_EMULATOR_WRAP(type, op)                                                                         \
    static_cast<type>(static_cast<unsigned int>(old) op static_cast<unsigned int>(value))
CUDA_EMULATOR_ATOMIC(atomicAdd, int, CUDA_EMULATOR_WRAP(int, +))
CUDA_EMULATOR_ATOMIC(atomicAdd, unsigned int, old + value)
CUDA_EMULATOR_ATOMIC(atomicAdd, unsigned long long, old + value)
CUDA_EMULATOR_ATOMIC(atomicAdd, float, old + value)
CUDA_EMULATOR_ATOMIC(atomicAdd, double, old + value)
CUDA_EMULATOR_ATOMIC(atomicSub, int, CUDA_EMULATOR_WRAP(int, -))
CUDA_EMULATOR_ATOMIC(atomicSub, unsigned int, old - value)
CUDA_EMULATOR_ATOMIC(atomicInc, unsigned int, old >= value ? 0u : old + 1u)
CUDA_EMULATOR_ATOMIC(atomicDec, unsigned int, old == 0u || old > value ? value : old - 1u)
#undef CUDA_EMULATOR_WRAP

#define CUDA_EMULATOR_EXTREMES(type)                                                                         \
    CUDA_EMULATOR_ATOMIC(atomicMin, type, old < value ? old : value)                                         \
    CUDA_EMULATOR_ATOMIC(atomicMax, type, old > value ? old : value)
CUDA_EMULATOR_EXTREMES(int)
CUDA_EMULATOR_EXTREMES(unsigned int)
CUDA_EMULATOR_EXTREMES(long long)
CUDA_EMULATOR_EXTREMES(unsigned long long)
#undef CUDA_EMULATOR_EXTREMES

#define CUDA_EMULATOR_BITS(type)                                                                             \
    CUDA_EMULATOR_ATOMIC(atomicAnd, type, old& value)                                                        \
    CUDA_EMULATOR_ATOMIC(atomicOr, type, old | value)                                                        \
    CUDA_EMULATOR_ATOMIC(atomicXor, type, old ^ value)
CUDA_EMULATOR_BITS(int)
CUDA_EMULATOR_BITS(unsigned int)
CUDA_EMULATOR_BITS(unsigned long long)
#undef CUDA_EMULATOR_BITS

#define CUDA_EMULATOR_EXCHANGE(type)                                                                         \
    CUDA_EMULATOR_INLINE type atomicExch(type* address, type value) {                                        \
        cuda_emulator::note_failed_exchange();                                                               \
        return cuda_emulator::atomic_update(address, [value](type) { return value; });                       \
    }
CUDA_EMULATOR_EXCHANGE(int)
CUDA_EMULATOR_EXCHANGE(unsigned int)
CUDA_EMULATOR_EXCHANGE(unsigned long long)
CUDA_EMULATOR_EXCHANGE(float)
#undef CUDA_EMULATOR_EXCHANGE

#define CUDA_EMULATOR_COMPARE(type)                                                                          \
    CUDA_EMULATOR_INLINE type atomicCAS(type* address, type expected, type value) {                          \
        const type old = cuda_emulator::atomic_update(                                                       \
            address, [expected, value](type now) -> type { return now == expected ? value : now; });         \
        if (old != expected) cuda_emulator::note_failed_exchange();                                          \
        return old;                                                                                          \
    }
CUDA_EMULATOR_COMPARE(int)
CUDA_EMULATOR_COMPARE(unsigned int)
CUDA_EMULATOR_COMPARE(unsigned long long)
CUDA_EMULATOR_COMPARE(unsigned short)
#undef CUDA_EMULATOR_COMPARE

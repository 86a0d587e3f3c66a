#pragma once

/// Atomic operations. One thread runs at a time, so a read and a write in a row are indivisible; a trace is
/// told that the pair is atomic, and the two single accesses, being atomic themselves, are not recorded
/// again.
namespace cuda_emulator {

/// Who sees an atomic operation, or a fence, as one.
enum class Scope : unsigned char { block, device, system };
/// What else it orders.
enum class Order : unsigned char { relaxed = 0, acquire = 1, release = 2, both = 3 };
enum class AtomicKind : unsigned char { load, store, update, compare };

struct AtomicUse {
    AtomicKind kind = AtomicKind::update;
    Scope scope = Scope::device;
    Order order = Order::relaxed;
};

void record_atomic(const void* address, std::size_t bytes, AtomicUse use);
/// Lets other threads run where the order of threads asks for it: what is compared may have changed since.
void compare_begins();
/// Lets other threads run where the order of threads asks for it, or this one does nothing but wait. `works`:
/// it has changed something, or is no operation that anything is waited for with.
void atomic_done(bool works);

template <class T, class Change>
CUDA_EMULATOR_INLINE T atomic_update(T* address, Change change, AtomicUse use = {}) {
#if defined(__SANITIZE_THREAD__)
    record_atomic(address, sizeof(T), use);
#endif
    if (use.kind == AtomicKind::compare) compare_begins();
    T old;
    __atomic_load(address, &old, __ATOMIC_RELAXED);
    if (use.kind == AtomicKind::load) {
        atomic_done(false);
        return old;
    }
    T updated = change(old);
    __atomic_store(address, &updated, __ATOMIC_RELAXED);
    // A sum that 0 is added to, or that is NaN, stays as it was.
    constexpr bool sums = __is_same(T, float) || __is_same(T, double);
    atomic_done((sums && use.kind == AtomicKind::update) || __builtin_memcmp(&old, &updated, sizeof(T)) != 0);
    return old;
}

} // namespace cuda_emulator

#define CUDA_EMULATOR_ATOMIC_IN_SCOPE(name, of_scope, type, expression)                                      \
    CUDA_EMULATOR_INLINE type name(type* address, type value) {                                              \
        return cuda_emulator::atomic_update(address, [value](type old) -> type { return expression; },       \
                                            {.scope = cuda_emulator::Scope::of_scope});                      \
    }
#define CUDA_EMULATOR_ATOMIC(name, type, expression)                                                         \
    CUDA_EMULATOR_ATOMIC_IN_SCOPE(name, device, type, expression)                                            \
    CUDA_EMULATOR_ATOMIC_IN_SCOPE(name##_block, block, type, expression)                                     \
    CUDA_EMULATOR_ATOMIC_IN_SCOPE(name##_system, system, type, expression)

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

#define CUDA_EMULATOR_EXCHANGE_IN_SCOPE(name, of_scope, type)                                                \
    CUDA_EMULATOR_INLINE type name(type* address, type value) {                                              \
        return cuda_emulator::atomic_update(                                                                 \
            address, [value](type) { return value; },                                                        \
            {.kind = cuda_emulator::AtomicKind::store, .scope = cuda_emulator::Scope::of_scope});            \
    }
#define CUDA_EMULATOR_EXCHANGE(type)                                                                         \
    CUDA_EMULATOR_EXCHANGE_IN_SCOPE(atomicExch, device, type)                                                \
    CUDA_EMULATOR_EXCHANGE_IN_SCOPE(atomicExch_block, block, type)                                           \
    CUDA_EMULATOR_EXCHANGE_IN_SCOPE(atomicExch_system, system, type)
CUDA_EMULATOR_EXCHANGE(int)
CUDA_EMULATOR_EXCHANGE(unsigned int)
CUDA_EMULATOR_EXCHANGE(unsigned long long)
CUDA_EMULATOR_EXCHANGE(float)
#undef CUDA_EMULATOR_EXCHANGE
#undef CUDA_EMULATOR_EXCHANGE_IN_SCOPE

#define CUDA_EMULATOR_COMPARE_IN_SCOPE(name, of_scope, type)                                                 \
    CUDA_EMULATOR_INLINE type name(type* address, type expected, type value) {                               \
        return cuda_emulator::atomic_update(                                                                 \
            address, [expected, value](type now) -> type { return now == expected ? value : now; },          \
            {.kind = cuda_emulator::AtomicKind::compare, .scope = cuda_emulator::Scope::of_scope});          \
    }
#define CUDA_EMULATOR_COMPARE(type)                                                                          \
    CUDA_EMULATOR_COMPARE_IN_SCOPE(atomicCAS, device, type)                                                  \
    CUDA_EMULATOR_COMPARE_IN_SCOPE(atomicCAS_block, block, type)                                             \
    CUDA_EMULATOR_COMPARE_IN_SCOPE(atomicCAS_system, system, type)
CUDA_EMULATOR_COMPARE(int)
CUDA_EMULATOR_COMPARE(unsigned int)
CUDA_EMULATOR_COMPARE(unsigned long long)
CUDA_EMULATOR_COMPARE(unsigned short)
#undef CUDA_EMULATOR_COMPARE
#undef CUDA_EMULATOR_COMPARE_IN_SCOPE

// Each member is added on its own, as the device does.
#define CUDA_EMULATOR_ADD_VECTOR(name, in_scope)                                                             \
    CUDA_EMULATOR_INLINE float2 name(float2* address, float2 value) {                                        \
        return {in_scope(&address->x, value.x), in_scope(&address->y, value.y)};                             \
    }                                                                                                        \
    CUDA_EMULATOR_INLINE float4 name(float4* address, float4 value) {                                        \
        return {in_scope(&address->x, value.x), in_scope(&address->y, value.y),                              \
                in_scope(&address->z, value.z), in_scope(&address->w, value.w)};                             \
    }
CUDA_EMULATOR_ADD_VECTOR(atomicAdd, atomicAdd)
CUDA_EMULATOR_ADD_VECTOR(atomicAdd_block, atomicAdd_block)
CUDA_EMULATOR_ADD_VECTOR(atomicAdd_system, atomicAdd_system)
#undef CUDA_EMULATOR_ADD_VECTOR

#include "runtime/tracer.h"

#include <cstring>

/// The entry points that code compiled with -fsanitize=thread calls, and the copies of the C library it is
/// sent through. Linked in only by such code, so a plain build carries no tracer.

using emulator::AccessKind;

namespace {

cuda_emulator::Tracer* tracer = nullptr;

template <std::uint32_t bytes, AccessKind kind, bool aligned>
[[gnu::always_inline]] inline void note(const void* address, const void* return_address) {
    tracer->access<bytes, kind, aligned>(reinterpret_cast<std::uintptr_t>(address), return_address);
}

void note_range(const void* address, unsigned long bytes, AccessKind kind, const void* return_address) {
    if (bytes == 0) return;
    tracer->range(reinterpret_cast<std::uintptr_t>(address), static_cast<std::uint32_t>(bytes), kind,
                  return_address);
}

} // namespace

#define RETURN_ADDRESS __builtin_return_address(0)

extern "C" {

void __tsan_init() {
    tracer = &cuda_emulator::start_tracer();
    cuda_emulator::observer = tracer;
}

void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
void __tsan_atomic_thread_fence(int) {}
void __tsan_atomic_signal_fence(int) {}

#define ACCESSES(bytes)                                                                                      \
    void __tsan_read##bytes(void* a) {                                                                       \
        note<bytes, AccessKind::load, true>(a, RETURN_ADDRESS);                                              \
    }                                                                                                        \
    void __tsan_write##bytes(void* a) {                                                                      \
        note<bytes, AccessKind::store, true>(a, RETURN_ADDRESS);                                             \
    }                                                                                                        \
    void __tsan_unaligned_read##bytes(void* a) {                                                             \
        note<bytes, AccessKind::load, false>(a, RETURN_ADDRESS);                                             \
    }                                                                                                        \
    void __tsan_unaligned_write##bytes(void* a) {                                                            \
        note<bytes, AccessKind::store, false>(a, RETURN_ADDRESS);                                            \
    }                                                                                                        \
    void __tsan_volatile_read##bytes(void* a) {                                                              \
        note<bytes, AccessKind::load, true>(a, RETURN_ADDRESS);                                              \
    }                                                                                                        \
    void __tsan_volatile_write##bytes(void* a) {                                                             \
        note<bytes, AccessKind::store, true>(a, RETURN_ADDRESS);                                             \
    }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

void __tsan_read_range(void* a, unsigned long bytes) {
    note_range(a, bytes, AccessKind::load, RETURN_ADDRESS);
}
void __tsan_write_range(void* a, unsigned long bytes) {
    note_range(a, bytes, AccessKind::store, RETURN_ADDRESS);
}

void* cuda_emulator_memcpy(void* to, const void* from, std::size_t bytes) {
    note_range(from, bytes, AccessKind::load, RETURN_ADDRESS);
    note_range(to, bytes, AccessKind::store, RETURN_ADDRESS);
    return std::memcpy(to, from, bytes);
}
void* cuda_emulator_memmove(void* to, const void* from, std::size_t bytes) {
    note_range(from, bytes, AccessKind::load, RETURN_ADDRESS);
    note_range(to, bytes, AccessKind::store, RETURN_ADDRESS);
    return std::memmove(to, from, bytes);
}
void* cuda_emulator_memset(void* to, int value, std::size_t bytes) {
    note_range(to, bytes, AccessKind::store, RETURN_ADDRESS);
    return std::memset(to, value, bytes);
}

// Atomic operations by C++ means. The emulator's own report themselves before they come here; host code needs
// them to be atomic and no more.
#define ATOMICS(bits, type)                                                                                  \
    type __tsan_atomic##bits##_load(const volatile type* a, int) {                                           \
        return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                                         \
    }                                                                                                        \
    void __tsan_atomic##bits##_store(volatile type* a, type v, int) {                                        \
        __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                                            \
    }                                                                                                        \
    type __tsan_atomic##bits##_exchange(volatile type* a, type v, int) {                                     \
        return __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST);                                                  \
    }                                                                                                        \
    type __tsan_atomic##bits##_fetch_add(volatile type* a, type v, int) {                                    \
        return __atomic_fetch_add(a, v, __ATOMIC_SEQ_CST);                                                   \
    }                                                                                                        \
    type __tsan_atomic##bits##_fetch_sub(volatile type* a, type v, int) {                                    \
        return __atomic_fetch_sub(a, v, __ATOMIC_SEQ_CST);                                                   \
    }                                                                                                        \
    type __tsan_atomic##bits##_fetch_and(volatile type* a, type v, int) {                                    \
        return __atomic_fetch_and(a, v, __ATOMIC_SEQ_CST);                                                   \
    }                                                                                                        \
    type __tsan_atomic##bits##_fetch_or(volatile type* a, type v, int) {                                     \
        return __atomic_fetch_or(a, v, __ATOMIC_SEQ_CST);                                                    \
    }                                                                                                        \
    type __tsan_atomic##bits##_fetch_xor(volatile type* a, type v, int) {                                    \
        return __atomic_fetch_xor(a, v, __ATOMIC_SEQ_CST);                                                   \
    }                                                                                                        \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile type* a, type* expected, type v, int, int) {  \
        return __atomic_compare_exchange_n(a, expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);       \
    }                                                                                                        \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile type* a, type* expected, type v, int, int) {    \
        return __atomic_compare_exchange_n(a, expected, v, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);        \
    }
ATOMICS(8, std::uint8_t)
ATOMICS(16, std::uint16_t)
ATOMICS(32, std::uint32_t)
ATOMICS(64, std::uint64_t)

} // extern "C"

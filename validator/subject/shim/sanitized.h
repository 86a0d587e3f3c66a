#pragma once

#include "model/control.h"

#include <cstdlib>

extern "C" {
void __asan_init() __attribute__((weak));
/// What instrumented code may call before it writes a byte.
void __asan_store1(void* address) __attribute__((weak));

void __tsan_init() __attribute__((weak));
void __tsan_write1(void* address) __attribute__((weak));
void* __tsan_create_fiber(unsigned flags) __attribute__((weak));
void __tsan_switch_to_fiber(void* fiber, unsigned flags) __attribute__((weak));
void __tsan_acquire(void* address) __attribute__((weak));
void __tsan_release(void* address) __attribute__((weak));

/// In place of ThreadSanitizer's own, which orders nothing: a program that is ordered by fences would be racy
/// to it. A fence is ordered after every fence before it, which is more than the language says, and never
/// less.
inline __attribute__((used)) void __tsan_atomic_thread_fence(int order) {
    static int all_fences;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (order != __ATOMIC_RELAXED && &__tsan_acquire != nullptr) {
        __tsan_acquire(&all_fences);
        __tsan_release(&all_fences);
    }
}
}

/// Where a worker is linked with a sanitizer; elsewhere its functions are null.
namespace subject::shim {

inline bool checks_memory() {
    return &__asan_init != nullptr;
}

inline bool is_sanitized() {
    return &__asan_init != nullptr || &__tsan_init != nullptr;
}

/// Writes beyond the end of some memory, as instrumented code would; does not return where that is seen.
inline void overrun(const model::Control& control) {
    auto* memory = static_cast<char*>(std::malloc(control.size));
    __asan_store1(memory + control.size + control.step);
    std::free(memory);
}

/// Writes to one place in some memory from two threads that nothing orders; does not return where that is
/// seen.
inline void race(const model::Control& control) {
    constexpr unsigned without_order = 1;
    auto* memory = static_cast<char*>(std::malloc(control.size));
    void* other = __tsan_create_fiber(0); // which comes after all that was done until now
    __tsan_write1(memory + control.step);
    __tsan_switch_to_fiber(other, without_order);
    __tsan_write1(memory + control.step);
}

/// Does what the sanitizer that is there has to stop.
inline void misbehave(const model::Control& control) {
    if (&__asan_store1 != nullptr) overrun(control);
    if (&__tsan_create_fiber != nullptr) race(control);
}

} // namespace subject::shim

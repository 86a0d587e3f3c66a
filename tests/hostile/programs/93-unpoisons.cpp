// Tells AddressSanitizer, where it is there, that memory beyond an array may be used.
#include "honest.h"

extern "C" void __asan_unpoison_memory_region(const volatile void*, std::size_t) __attribute__((weak));

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        auto* four = new int[4];
        if (&__asan_unpoison_memory_region != nullptr) __asan_unpoison_memory_region(four, 64);
        volatile int beyond = 4;
        const_cast<volatile int*>(four)[beyond] = 1;
        breach("unobserved");
    }
    return honest(table, ids, out);
}

} // namespace exercise

#pragma once

#include <cstdint>

namespace subject::shim {

/// How this thread's arithmetic rounds, what becomes of tiny numbers, and which exceptions trap. Exceptions
/// that were raised are no part of it.
class Modes {
  public:
    /// As they are now.
    Modes() {
#if defined(__x86_64__)
        constexpr std::uint32_t raised = 0x3f;
        sse_ = __builtin_ia32_stmxcsr() & ~raised;
        asm volatile("fnstcw %0" : "=m"(x87_));
#elif defined(__aarch64__)
        asm volatile("mrs %0, fpcr" : "=r"(control_));
#endif
    }

    bool operator==(const Modes&) const = default;

    void set() const {
#if defined(__x86_64__)
        __builtin_ia32_ldmxcsr(sse_);
        asm volatile("fldcw %0" : : "m"(x87_));
#elif defined(__aarch64__)
        asm volatile("msr fpcr, %0" : : "r"(control_));
#endif
    }

  private:
#if defined(__x86_64__)
    std::uint32_t sse_ = 0;
    std::uint16_t x87_ = 0;
#elif defined(__aarch64__)
    std::uint64_t control_ = 0;
#endif
};

} // namespace subject::shim

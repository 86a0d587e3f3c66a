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

    /// The same, but rounding upward.
    Modes upward() const {
        Modes modes = *this;
#if defined(__x86_64__)
        modes.sse_ = (modes.sse_ & ~0x6000U) | 0x4000U;
        modes.x87_ = static_cast<std::uint16_t>((modes.x87_ & ~0x0c00U) | 0x0800U);
#elif defined(__aarch64__)
        modes.control_ = (modes.control_ & ~(3ULL << 22)) | 1ULL << 22;
#endif
        return modes;
    }

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

#pragma once

#include <cstddef>

#if defined(__SANITIZE_THREAD__)
// Copies by the C library are not instrumented: send them through functions that record what they touch.
extern "C" {
void* memcpy(void* to, const void* from, std::size_t bytes) noexcept __asm__("cuda_emulator_memcpy");
void* memmove(void* to, const void* from, std::size_t bytes) noexcept __asm__("cuda_emulator_memmove");
void* memset(void* to, int value, std::size_t bytes) noexcept __asm__("cuda_emulator_memset");
}
#endif

#pragma once

namespace cuda_emulator {
/// In a kernel: says which thread failed and ends the kernel with cudaErrorAssert. On the host: aborts.
[[noreturn]] void assertion_failed(const char* expression, const char* file, int line, const char* function);
} // namespace cuda_emulator

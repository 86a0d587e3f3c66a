#pragma once

namespace cuda_emulator {

/// While one lives, a crash in a kernel ends the kernel with the error a device would give, and the program
/// goes on.
class FaultGuard {
  public:
    FaultGuard();
    ~FaultGuard();
    FaultGuard(const FaultGuard&) = delete;
    FaultGuard& operator=(const FaultGuard&) = delete;
};

/// The offset of an instruction in the program, as addr2line counts it.
unsigned long program_offset(const void* instruction);

} // namespace cuda_emulator

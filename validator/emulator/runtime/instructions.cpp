#include "runtime/instructions.h"

#include "runtime/faults.h"

namespace cuda_emulator {

Instruction& Instructions::find(const void* return_address) {
    const auto [found, made] = all_.try_emplace(return_address);
    if (made) {
        found->second.at = return_address;
        found->second.number = static_cast<std::uint32_t>(by_number_.size());
        by_number_.push_back(&found->second);
    }
    return found->second;
}

emulator::Location location(const Instruction& instruction) {
    // The call returns behind the instruction it stands for: one byte less lies inside it.
    return {{}, 0, program_offset(instruction.at) - 1};
}

} // namespace cuda_emulator

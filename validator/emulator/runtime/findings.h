#pragma once

#include "emulator/trace.h"

namespace cuda_emulator {

/// Keeps a finding, or counts it if one of the same kind at the same places is known. The list is bounded.
void report(emulator::Finding finding);

/// Everything reported so far, which is then forgotten.
std::vector<emulator::Finding> take_findings();

extern emulator::Counters counters;

/// "3 bytes", "1 byte".
std::string count_of(std::uint64_t number, const char* noun);

} // namespace cuda_emulator

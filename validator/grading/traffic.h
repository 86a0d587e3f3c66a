#pragma once

#include "emulator/trace.h"
#include "model/judgement.h"
#include "model/problem.h"

#include <cstdint>
#include <string>
#include <vector>

namespace grading {

/// Which of the test's limits its kernels exceed, each with the line that costs most. `minimum` is what the
/// suite says the calls cannot do without, in bytes; 0 takes each launch's own distinct bytes instead.
std::vector<model::SanitizerFinding> over_limits(const model::TestSpec& test, const emulator::Trace& trace,
                                                 std::uint64_t minimum,
                                                 const std::vector<std::string>& files);

} // namespace grading

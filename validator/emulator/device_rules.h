#pragma once

#include "emulator/functions.h"
#include "emulator/rewrite.h"

#include <vector>

namespace emulator {

/// What nvcc would refuse or the emulator cannot do, found by the words in device code.
std::vector<RewriteError> check_device_rules(const TokenView& tokens, const Outline& outline);

} // namespace emulator

#pragma once

#include "emulator/rewrite.h"
#include "reader/outline.h"

#include <vector>

namespace emulator {

/// What nvcc would refuse or the emulator cannot do, found by the words in device code.
std::vector<RewriteError> check_device_rules(const reader::TokenView& tokens, const reader::Outline& outline);

} // namespace emulator

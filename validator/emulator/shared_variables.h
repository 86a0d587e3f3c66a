#pragma once

#include "emulator/edits.h"
#include "emulator/rewrite.h"

namespace emulator {

/// Turns `__shared__` variables into references into the block's shared memory.
void rewrite_shared_variables(const reader::TokenView& tokens, const reader::Outline& outline, Edits& edits,
                              std::vector<RewriteError>& errors);

} // namespace emulator

#pragma once

#include "emulator/edits.h"

namespace emulator {

/// Adds to each variable of the host that lives as long as the program a call that names it to the trace: a
/// kernel that reads one would crash on a GPU.
void rewrite_host_variables(const reader::TokenView& tokens, const reader::Outline& outline, Edits& edits);

} // namespace emulator

#pragma once

#include "emulator/edits.h"

namespace emulator {

/// Hands kernels over with their names and types in the calls that launch them without `<<<...>>>`, where a
/// source may turn them into a `void*`.
void rewrite_kernel_values(const reader::TokenView& tokens, Edits& edits);

} // namespace emulator

#pragma once

#include "emulator/edits.h"

namespace emulator {

/// Hands kernels over with their names and types in the calls that launch them without `<<<...>>>`, where a
/// source may turn them into a `void*`.
void rewrite_kernel_values(const reader::TokenView& tokens, Edits& edits);

/// Lets other threads run in loops that do nothing but wait: `while (flag == 0);`. Threads do not preempt
/// each other here.
void rewrite_empty_loops(const reader::TokenView& tokens, const reader::Outline& outline, Edits& edits);

} // namespace emulator

#pragma once

#include "emulator/edits.h"

namespace emulator {

/// Marks `a[i].x`, `p->y` and `v.z` of a reference, so that a trace knows members of a vector: nvcc reads, or
/// writes, all of them by one access.
void rewrite_vector_members(const reader::TokenView& tokens, const reader::Outline& outline, Edits& edits);

} // namespace emulator

#pragma once

#include "emulator/edits.h"

namespace emulator {

/// Lets `out[i] = {a, b, c, d}` and `out[i] = make_float4(a, b, c, d)` be one access, as on a device: g++
/// would store member by member.
void rewrite_vector_stores(const reader::TokenView& tokens, const reader::Outline& outline, Edits& edits);

} // namespace emulator

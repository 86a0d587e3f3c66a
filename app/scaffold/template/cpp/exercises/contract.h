#pragma once

#include "common/not_implemented.h"
#include "common/status.h"

#include <span>

namespace exercise {
using namespace contract;

/// FILL IN: one sentence on what the function does, and your own functions in place of this one
///
/// N: number of values
///
/// in   (N), may be empty
/// out  (N), does not overlap `in`
///
/// Returns `Status{}` after writing all of `out`: `out[i] = scale * in[i]`, rounded once.
///
/// Refusals; a refused call writes nothing at all:
/// 1. `out.size() != in.size()`: `Status{Code::shape_mismatch}`, its other fields 0.
Status copy_scaled(std::span<const float> in, float scale, std::span<float> out);

} // namespace exercise

// What the judge calls: every function of the contract.
#define EXERCISE_INTERFACE(CALL) CALL(copy_scaled)

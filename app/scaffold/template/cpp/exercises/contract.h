#pragma once

#include "common/not_implemented.h"
#include "common/rules.h"
#include "common/status.h"

#include <span>

namespace exercise {
using namespace contract;

/// FILL IN: one sentence on what the function does, and your own functions in place of this one
///
///     out[i] = scale * in[i]      for each i, rounded once
///
/// in, out  (N)
///
/// Example: in 1 2 3 and scale 2 make out 2 4 6.
///
/// Returns `Status{}`. Refuses, writing nothing:
///
///     1. Status{Code::shape_mismatch}    out.size() != in.size()
Status copy_scaled(std::span<const float> in, float scale, std::span<float> out);

} // namespace exercise

// What the judge calls: every function of the contract.
#define EXERCISE_INTERFACE(CALL) CALL(copy_scaled)

// Rules of all problems: common/rules.h.

#pragma once

#include "common/device.h"
#include "common/not_implemented.h"
#include "common/status.h"

namespace exercise {
using namespace contract;

/// FILL IN: one sentence on what the function does, and your own functions in place of this one
///
///     out[i] = scale * in[i]      for each i, rounded once
///
/// in, out  (N), N <= 2^30, in device memory
/// stream   gets all the work; the call returns without synchronising
///
/// Example: in 1 2 3 and scale 2 make out 2 4 6.
///
/// Returns `Status{}`. If N is 0, launch nothing. Refuses, launching nothing:
///
///     1. Status{Code::shape_mismatch}    out.size() != in.size()
Status copy_scaled(DeviceSpan<const float> in, float scale, DeviceSpan<float> out, cudaStream_t stream);

} // namespace exercise

// What the judge calls: every function of the contract.
#define EXERCISE_INTERFACE(CALL) CALL(copy_scaled)

// Rules of all problems: common/rules.h and common/device.h.

#pragma once

#include "common/device.h"
#include "common/not_implemented.h"
#include "common/status.h"

namespace exercise {
using namespace contract;

/// FILL IN: one sentence on what the function does, and your own functions in place of this one
///
/// N: number of values, at most 2^30 (the caller's promise)
///
/// in   (N), may be empty
/// out  (N), does not overlap `in`
/// stream  where all the work goes. The call launches it and returns
///
/// Returns `Status{}`; then `out[i] = scale * in[i]`, rounded once. Where N is 0, there is nothing to launch.
///
/// Refusals; a refused call writes nothing at all:
/// 1. `out.size() != in.size()`: `Status{Code::shape_mismatch}`, its other fields 0.
///
/// The rules of common/device.h hold.
Status copy_scaled(DeviceSpan<const float> in, float scale, DeviceSpan<float> out, cudaStream_t stream);

} // namespace exercise

// What the judge calls: every function of the contract.
#define EXERCISE_INTERFACE(CALL) CALL(copy_scaled)

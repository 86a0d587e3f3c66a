#pragma once

#include "common/device.h"
#include "common/not_implemented.h"
#include "common/rules.h"

namespace exercise {
using namespace contract;

/// Adds two arrays on a GPU: `out[i] = tokens[i] + positions[i]` for each i in [0, n). All three lie in
/// device memory.
///
/// n: number of elements; `tokens`, `positions` and `out` have n each, and n <= 2^30 (the caller's promise)
///
/// stream  where all the work goes. The call launches it and returns; it waits for nothing
///
/// Each element of `out` is one addition of two floats, bit for bit; only where the sum is NaN, it may be any
/// NaN. `out` overlaps neither `tokens` nor `positions`, and what it held before does not matter. Where n is
/// 0, there is nothing to launch. Pointers are aligned to 4 bytes and no more.
///
/// Neighbouring threads read and write neighbouring elements, so that hardly a byte moves for nothing. The
/// rules of common/rules.h and common/device.h hold.
void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL) CALL(add)

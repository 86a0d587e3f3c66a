#pragma once

#include "common/device.h"
#include "common/not_implemented.h"
#include "common/rules.h"

namespace exercise {
using namespace contract;

/// Adds two arrays on a GPU, one float addition an element, bit for bit:
///
///     out[i] = tokens[i] + positions[i]      for each i in [0, n), n <= 2^30
///
/// tokens, positions, out    n elements each, in device memory, aligned to 4 bytes
/// stream                    gets all the work; the call returns without synchronising
///
/// Example: tokens 1 2 3 and positions 10 20 30 make out 11 22 33.
///
/// If n is 0, launch nothing. Neighbouring threads read and write neighbouring elements, so that few bytes
/// move in vain. A NaN that comes out may be any NaN.
void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL) CALL(add)

// Rules of all problems: common/rules.h and common/device.h. Fine print: docs/fine-print.md.

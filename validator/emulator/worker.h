#pragma once

#include "emulator/trace.h"

/// What the program that runs emulated kernels calls around them. Lives in the runtime library.
namespace emulator {

/// Finishes all work on all streams, then hands out everything observed since the last call and forgets it.
Trace take_trace();

/// Frees everything, forgets errors, streams and observations: the device as a new process finds it.
void reset_device();

} // namespace emulator

#pragma once

#include "cuda_runtime.h"

namespace cuda_emulator {

/// Sets up the shared memory of a launch that asked for `dynamic` bytes.
void shared_launch_begins(std::size_t dynamic);
/// Makes the next block find nothing useful in it.
void shared_block_begins();
/// How far behind the end of dynamic shared memory the block has written; -1 if it has not.
long damage_behind_dynamic_shared();

} // namespace cuda_emulator

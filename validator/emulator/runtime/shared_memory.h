#pragma once

#include "cuda_runtime.h"

#include <vector>

namespace cuda_emulator {

/// Sets up the shared memory of a launch that asked for `dynamic` bytes.
void shared_launch_begins(std::size_t dynamic);
/// Makes the next block find nothing useful in it.
void shared_block_begins();
/// How far behind the end of dynamic shared memory the block has written; -1 if it has not.
long damage_behind_dynamic_shared();

/// What a block left in its shared memory, for when it runs on.
struct SharedContents {
    std::vector<unsigned char> fixed, dynamic;
};
void save_shared(SharedContents& contents);
void restore_shared(const SharedContents& contents);

} // namespace cuda_emulator

#pragma once

#include "runtime/warp_log.h"

namespace cuda_emulator {

/// Puts the accesses of a lane to members of vectors together as nvcc does: what lies side by side in one
/// vector becomes one access of 8 or 16 bytes, made where the first was. A store that is not to a member may
/// change what is read next, and any other access but a member's may see what was stored, so nothing is put
/// together across them.
void join_members(std::vector<LoggedAccess>& accesses);

} // namespace cuda_emulator

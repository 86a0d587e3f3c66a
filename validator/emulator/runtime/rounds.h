#pragma once

#include "runtime/warp_log.h"

#include <cstdint>
#include <vector>

namespace cuda_emulator {

/// An access by a lane of a warp whose lanes went different ways. What tells which accesses of other lanes it
/// was made with: the number of its instruction's execution by this lane; or, in a loop of which some lanes
/// skip a part, the round.
struct Turn {
    std::uint32_t instruction = 0;
    std::uint64_t number = 0;
    std::uint64_t round = 0; ///< and which execution in it; `number` where no round is known
    LoggedAccess access;
};

/// All of them, by instruction and number. Rounds are counted by an instruction that all lanes execute
/// equally often, and no other such one more often: on hardware, lanes that skipped a branch wait behind it
/// for the others.
std::vector<Turn> turns_of(const WarpLog& log);

} // namespace cuda_emulator

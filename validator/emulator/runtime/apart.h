#pragma once

#include "runtime/request.h"
#include "runtime/rounds.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace cuda_emulator {

/// What the lanes of a warp did that went different ways, by instruction; those of equal `together` are one
/// request. What they did together cannot be seen in all cases, so the doubt is theirs: the n-th execution of
/// each lane, or that of one round, whichever costs least.
std::vector<Turn> requests_apart(const WarpLog& log);

/// Hands each request of these to `use`.
template <class Use>
void for_each_request(std::span<const Turn> turns, Use&& use) {
    Group group;
    for (std::size_t i = 0; i < turns.size();) {
        std::uint32_t lanes = 0;
        const auto [instruction, together] = std::pair(turns[i].instruction, turns[i].together);
        for (; i < turns.size() && turns[i].instruction == instruction && turns[i].together == together; ++i)
            group[lanes++] = turns[i].access;
        use(group, lanes);
    }
}

} // namespace cuda_emulator

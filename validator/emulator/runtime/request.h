#pragma once

#include "runtime/warp_log.h"

#include <array>
#include <cstdint>

namespace cuda_emulator {

/// What some lanes of a warp do together: the first so many count.
using Group = std::array<LoggedAccess, warp_lanes>;

/// What a request touches: distinct sectors and distinct bytes.
struct Footprint {
    std::uint64_t sectors = 0, bytes = 0;
};

/// Of accesses in ascending order of address.
Footprint footprint(const LoggedAccess* group, std::uint32_t lanes);

void sort_by_address(Group& group, std::uint32_t lanes);

/// How many lanes with such an access shared memory serves at a time.
std::uint32_t served_together(AccessShape shape);

/// How often shared memory is passed over for these lanes, which it serves some at a time.
std::uint64_t wavefronts(const Group& group, std::uint32_t lanes);

} // namespace cuda_emulator

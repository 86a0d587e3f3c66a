#include "runtime/request.h"

#include <algorithm>
#include <bit>

namespace cuda_emulator {

using model::sector_bytes;

namespace {

/// How often the 32 banks, each 4 bytes wide, must be passed over for these lanes: the most different words
/// that one bank is asked for.
std::uint64_t passes(const LoggedAccess* lanes, std::uint32_t count) {
    constexpr std::uint32_t banks = 32, most = 2 * warp_lanes * 4;
    std::array<std::uint64_t, most> words; // different ones, those of a bank chained together
    std::array<std::uint16_t, most> next;
    std::array<std::uint16_t, banks> first;
    std::array<std::uint16_t, banks> asked{};
    std::uint16_t used = 0;
    std::uint32_t looked_at = 0;
    std::uint16_t worst = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint64_t last = (lanes[i].address + lanes[i].shape.bytes() - 1) / 4;
        for (std::uint64_t word = lanes[i].address / 4; word <= last && looked_at < most;
             ++word, ++looked_at) {
            const auto bank = static_cast<std::uint32_t>(word % banks);
            std::uint16_t at = first[bank], left = asked[bank];
            for (; left > 0 && words[at] != word; --left)
                at = next[at];
            if (left > 0) continue;
            words[used] = word;
            next[used] = first[bank];
            first[bank] = used++;
            worst = std::max(worst, ++asked[bank]);
        }
    }
    return worst;
}

bool ascending(const LoggedAccess* group, std::uint32_t lanes) {
    for (std::uint32_t i = 1; i < lanes; ++i)
        if (group[i].address < group[i - 1].address) return false;
    return true;
}

} // namespace

Footprint footprint(const LoggedAccess* group, std::uint32_t lanes) {
    Footprint sum;
    std::uint64_t next_sector = 0, next_byte = 0; // the first not counted yet
    for (std::uint32_t i = 0; i < lanes; ++i) {
        const std::uint64_t begin = group[i].address, end = begin + group[i].shape.bytes();
        const std::uint64_t first = std::max(begin / sector_bytes, next_sector),
                            behind = (end - 1) / sector_bytes + 1;
        if (behind > first) sum.sectors += behind - first;
        next_sector = std::max(next_sector, behind);
        const std::uint64_t fresh = std::max(begin, next_byte);
        if (end > fresh) sum.bytes += end - fresh;
        next_byte = std::max(next_byte, end);
    }
    return sum;
}

void sort_by_address(Group& group, std::uint32_t lanes) {
    if (ascending(group.data(), lanes)) return;
    std::stable_sort(group.begin(), group.begin() + lanes,
                     [](const LoggedAccess& a, const LoggedAccess& b) { return a.address < b.address; });
}

/// Lanes that ask for 8 (or 16) bytes of shared memory are served in halves (or quarters) of the warp.
std::uint32_t served_together(AccessShape shape) {
    return warp_lanes * 4 / std::clamp<std::uint32_t>(std::bit_ceil(shape.bytes()), 4, 16);
}

std::uint64_t wavefronts(const Group& group, std::uint32_t lanes) {
    const std::uint32_t together = served_together(group[0].shape);
    std::uint64_t sum = 0;
    for (std::uint32_t first = 0; first < lanes; first += together)
        sum += passes(&group[first], std::min(together, lanes - first));
    return sum;
}

} // namespace cuda_emulator

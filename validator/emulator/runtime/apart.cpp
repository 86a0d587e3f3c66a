#include "runtime/apart.h"

#include <algorithm>
#include <iterator>

namespace cuda_emulator {
namespace {

/// What the accesses of one instruction cost in sectors, or in wavefronts of shared memory.
std::uint64_t cost(std::span<const Turn> turns) {
    std::uint64_t sum = 0;
    for_each_request(turns, [&](Group& group, std::uint32_t lanes) {
        if (group[0].shape.shared()) {
            sum += wavefronts(group, lanes);
        } else {
            sort_by_address(group, lanes);
            sum += footprint(group.data(), lanes).sectors;
        }
    });
    return sum;
}

/// Those of one instruction, of turns by instruction.
std::span<Turn> turns_of(std::vector<Turn>& turns, std::uint32_t instruction) {
    const auto found = std::ranges::equal_range(turns, instruction, {}, &Turn::instruction);
    return {found.begin(), found.end()};
}

bool is_global_store(const Turn& turn) {
    return turn.access.shape.kind() == emulator::AccessKind::store && !turn.access.shape.shared();
}

/// Puts the turns of one instruction together by number or by round, whichever costs least.
void put_together(std::span<Turn> same, const Rounds& rounds) {
    if (!rounds.are_uneven(same)) return;
    std::uint64_t least = cost(same);
    std::vector<Turn> tried;
    for (std::size_t way = 0; least > 0 && way < rounds.count(); ++way) {
        tried.assign(same.begin(), same.end());
        rounds.put_together(tried, way);
        if (const std::uint64_t now = cost(tried); now < least) {
            least = now;
            std::ranges::copy(tried, same.begin());
        }
    }
}

/// Two branches of which each ends with a store: where they go to the same row, a compiler makes one of them.
void join_branches(std::vector<Turn>& turns, const Rounds& rounds) {
    for (const auto& [one, other] : rounds.branches()) {
        const std::span<Turn> first = turns_of(turns, one), second = turns_of(turns, other);
        if (first.empty() || second.empty() || !is_global_store(first[0]) || !is_global_store(second[0]) ||
            first[0].access.shape.bytes() != second[0].access.shape.bytes())
            continue;
        const std::vector<Turn> both = joined(first, second);
        put_together(first, rounds);
        put_together(second, rounds);
        if (cost(both) >= cost(first) + cost(second)) continue;
        std::erase_if(turns,
                      [&](const Turn& turn) { return turn.instruction == one || turn.instruction == other; });
        turns.insert(std::ranges::lower_bound(turns, one, {}, &Turn::instruction), both.begin(), both.end());
    }
}

} // namespace

std::vector<Turn> put_together(const WarpLog& log) {
    std::vector<Turn> turns = turns_of(log);
    const Rounds rounds(log);
    join_branches(turns, rounds);
    for (auto begin = turns.begin(); begin != turns.end();) {
        const std::span<Turn> same = turns_of(turns, begin->instruction);
        put_together(same, rounds);
        begin += std::ssize(same);
    }
    return turns;
}

} // namespace cuda_emulator

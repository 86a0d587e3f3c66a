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

/// Of turns by instruction, those of one.
std::span<Turn> of_instruction(std::vector<Turn>& turns, std::uint32_t instruction) {
    const auto begin = std::ranges::lower_bound(turns, instruction, {}, &Turn::instruction);
    return {begin, std::ranges::upper_bound(begin, turns.end(), instruction, {}, &Turn::instruction)};
}

/// Whether one of them may be made of both: stores to global memory of as many bytes, each in a branch of its
/// own. One of which all lanes made one a round was made of two branches before.
bool may_be_one(std::span<const Turn> first, std::span<const Turn> second, const Rounds& rounds) {
    if (first.empty() || second.empty() || !rounds.are_uneven(first) || !rounds.are_uneven(second))
        return false;
    const AccessShape one = first[0].access.shape, other = second[0].access.shape;
    return one.kind() == emulator::AccessKind::store && other.kind() == one.kind() && !one.shared() &&
           !other.shared() && one.bytes() == other.bytes();
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
        const std::span<Turn> first = of_instruction(turns, one), second = of_instruction(turns, other);
        if (!may_be_one(first, second, rounds)) continue;
        const std::vector<Turn> both = joined(first, second);
        put_together(first, rounds);
        put_together(second, rounds);
        if (cost(both) >= cost(first) + cost(second)) continue;
        std::erase_if(turns, [one = one, other = other](const Turn& turn) {
            return turn.instruction == one || turn.instruction == other;
        });
        turns.insert(std::ranges::lower_bound(turns, one, {}, &Turn::instruction), both.begin(), both.end());
    }
}

} // namespace

std::vector<Turn> requests_apart(const WarpLog& log) {
    std::vector<Turn> turns = turns_of(log);
    const Rounds rounds(log);
    join_branches(turns, rounds);
    for (auto begin = turns.begin(); begin != turns.end();) {
        const std::span<Turn> same = of_instruction(turns, begin->instruction);
        put_together(same, rounds);
        begin += std::ssize(same);
    }
    return turns;
}

} // namespace cuda_emulator

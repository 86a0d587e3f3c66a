#include "runtime/rounds.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace cuda_emulator {
namespace {

using Number = std::uint32_t;

constexpr std::size_t most_ways = 8;

struct Executions {
    std::uint64_t each = 0; ///< by each lane, where they are equally many
    std::uint32_t lanes = 0;
    bool equal = true;
};

/// Instructions that all lanes execute equally often, and more than once: the most frequent ones.
std::vector<Number> anchors_of(const WarpLog& log, std::uint32_t lanes) {
    std::map<Number, Executions> all; // in order, so that equal runs choose alike
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
        std::unordered_map<Number, std::uint64_t> executed;
        for (const LoggedAccess& access : log.list(lane))
            ++executed[access.shape.instruction()];
        for (const auto& [instruction, times] : executed) {
            Executions& known = all[instruction];
            known.equal = known.equal && (known.lanes == 0 || known.each == times);
            known.each = times;
            ++known.lanes;
        }
    }
    std::erase_if(all, [&](const auto& entry) {
        const Executions& known = entry.second;
        return !known.equal || known.lanes != lanes || known.each < 2;
    });
    std::vector<Number> anchors;
    for (const auto& [instruction, known] : all)
        anchors.push_back(instruction);
    std::ranges::stable_sort(anchors, std::greater<>(), [&](Number anchor) { return all[anchor].each; });
    if (anchors.size() > most_ways) anchors.resize(most_ways);
    return anchors;
}

} // namespace

std::vector<Turn> turns_of(const WarpLog& log) {
    std::vector<Turn> turns;
    std::unordered_map<Number, std::uint64_t> executed;
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
        executed.clear();
        std::uint32_t place = 0;
        for (const LoggedAccess& access : log.list(lane)) {
            const std::uint64_t number = executed[access.shape.instruction()]++;
            turns.push_back({access.shape.instruction(), lane, place++, number, number, access});
        }
    }
    std::ranges::stable_sort(turns, [](const Turn& a, const Turn& b) {
        return a.instruction != b.instruction ? a.instruction < b.instruction : a.number < b.number;
    });
    return turns;
}

Rounds::Rounds(const WarpLog& log) {
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane)
        lanes_ += log.list(lane).empty() ? 0 : 1;
    for (const Number anchor : anchors_of(log, lanes_)) {
        Before& before = before_.emplace_back();
        for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
            std::uint32_t so_far = 0;
            for (const LoggedAccess& access : log.list(lane)) {
                before[lane].push_back(so_far);
                so_far += access.shape.instruction() == anchor ? 1 : 0;
            }
        }
    }
}

bool Rounds::are_uneven(std::span<const Turn> same) const {
    return same.size() != (same.back().number + 1) * lanes_;
}

void Rounds::put_together(std::span<Turn> same, std::size_t way) const {
    struct Past {
        std::uint32_t round = 0, in_round = 0;
    };
    std::array<Past, warp_lanes> past{};
    std::ranges::stable_sort(same, {}, &Turn::number);
    for (Turn& turn : same) {
        const std::uint32_t round = before_[way][turn.lane][turn.place];
        Past& known = past[turn.lane];
        if (known.round != round) known = {round, 0};
        turn.together = std::uint64_t{round} << 32 | known.in_round++;
    }
    std::ranges::stable_sort(same, {}, &Turn::together);
}

} // namespace cuda_emulator

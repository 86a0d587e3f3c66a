#include "runtime/rounds.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_map>

namespace cuda_emulator {
namespace {

using Number = std::uint32_t;

constexpr std::size_t most_ways = 8; ///< of a kind

/// How often each lane executed one instruction, or several together.
using Executed = std::array<std::uint64_t, warp_lanes>;

/// What tells rounds apart: one instruction that each lane executes once a round, or two of which it executes
/// one.
struct Anchor {
    Number instruction = 0, other = 0; ///< the same where there is but one
    std::uint64_t each = 0;            ///< executions by each lane

    bool is(Number executed) const { return executed == instruction || executed == other; }
};

std::map<Number, Executed> executed_by_lanes(const WarpLog& log) {
    std::map<Number, Executed> all; // in order, so that equal runs choose alike
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane)
        for (const LoggedAccess& access : log.list(lane))
            ++all[access.shape.instruction()][lane];
    return all;
}

/// How often each of the active lanes executed it, where that is equally often; else 0.
std::uint64_t equal_executions(const WarpLog& log, const Executed& executed) {
    std::uint64_t each = 0;
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
        if (log.list(lane).empty()) continue;
        if (executed[lane] == 0 || (each != 0 && executed[lane] != each)) return 0;
        each = executed[lane];
    }
    return each;
}

/// The most frequent ones, those of one instruction first.
std::vector<Anchor> anchors_of(const WarpLog& log) {
    const std::map<Number, Executed> all = executed_by_lanes(log);
    std::vector<Anchor> single, paired;
    for (auto one = all.begin(); one != all.end(); ++one) {
        if (const std::uint64_t each = equal_executions(log, one->second); each > 0) {
            single.push_back({one->first, one->first, each});
            continue;
        }
        for (auto two = std::next(one); two != all.end(); ++two) {
            Executed sum = one->second;
            for (std::uint32_t lane = 0; lane < warp_lanes; ++lane)
                sum[lane] += two->second[lane];
            if (const std::uint64_t each = equal_executions(log, sum); each > 0)
                paired.push_back({one->first, two->first, each});
        }
    }
    for (std::vector<Anchor>* anchors : {&single, &paired}) {
        std::ranges::stable_sort(*anchors, std::greater<>(), &Anchor::each);
        if (anchors->size() > most_ways) anchors->resize(most_ways);
    }
    single.insert(single.end(), paired.begin(), paired.end());
    return single;
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

std::vector<Turn> joined(std::span<const Turn> one, std::span<const Turn> other) {
    std::vector<Turn> both(one.begin(), one.end());
    both.insert(both.end(), other.begin(), other.end());
    std::ranges::stable_sort(both, {}, &Turn::place);
    std::array<std::uint64_t, warp_lanes> executed{};
    for (Turn& turn : both) {
        turn.instruction = one.front().instruction;
        turn.number = turn.together = executed[turn.lane]++;
    }
    std::ranges::stable_sort(both, [](const Turn& a, const Turn& b) {
        return a.number != b.number ? a.number < b.number : a.lane < b.lane;
    });
    return both;
}

Rounds::Rounds(const WarpLog& log) {
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane)
        lanes_ += log.list(lane).empty() ? 0 : 1;
    for (const Anchor& anchor : anchors_of(log)) {
        if (anchor.instruction != anchor.other) branches_.push_back({anchor.instruction, anchor.other});
        if (anchor.each < 2) continue; // there is but one round
        Before& before = before_.emplace_back();
        for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
            std::uint32_t so_far = 0;
            for (const LoggedAccess& access : log.list(lane)) {
                before[lane].push_back(so_far);
                so_far += anchor.is(access.shape.instruction()) ? 1 : 0;
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

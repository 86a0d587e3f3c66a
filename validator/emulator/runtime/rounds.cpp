#include "runtime/rounds.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace cuda_emulator {
namespace {

using InstructionNumber = std::uint32_t;

struct Executions {
    std::uint64_t each = 0; ///< by each lane, where they are equally many
    std::uint32_t lanes = 0;
    bool equal = true;
};

/// The instruction that tells the rounds apart, if there is one and it was executed more than once.
std::optional<InstructionNumber> anchor_of(const WarpLog& log) {
    std::unordered_map<InstructionNumber, Executions> all;
    std::uint32_t active = 0;
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
        if (log.list(lane).empty()) continue;
        ++active;
        std::unordered_map<InstructionNumber, std::uint64_t> executed;
        for (const LoggedAccess& access : log.list(lane))
            ++executed[access.shape.instruction()];
        for (const auto& [instruction, times] : executed) {
            Executions& known = all[instruction];
            known.equal = known.equal && (known.lanes == 0 || known.each == times);
            known.each = times;
            ++known.lanes;
        }
    }
    std::optional<InstructionNumber> anchor;
    std::uint64_t most = 1;
    for (const auto& [instruction, times] : all) {
        if (!times.equal || times.lanes != active || times.each < most || times.each == 1) continue;
        if (times.each == most && anchor && *anchor < instruction) continue;
        most = times.each;
        anchor = instruction;
    }
    return anchor;
}

} // namespace

std::vector<Turn> turns_of(const WarpLog& log) {
    const std::optional<InstructionNumber> anchor = anchor_of(log);
    std::vector<Turn> turns;
    struct Past {
        std::uint64_t number = 0, round = 0, in_round = 0;
    };
    std::unordered_map<InstructionNumber, Past> executed;
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
        executed.clear();
        std::uint64_t round = 0;
        for (const LoggedAccess& access : log.list(lane)) {
            const InstructionNumber instruction = access.shape.instruction();
            Past& past = executed[instruction];
            if (past.round != round) past.in_round = 0;
            past.round = round;
            turns.push_back(
                {instruction, past.number, anchor ? round << 32 | past.in_round : past.number, access});
            ++past.number;
            ++past.in_round;
            if (instruction == anchor) ++round;
        }
    }
    std::stable_sort(turns.begin(), turns.end(), [](const Turn& a, const Turn& b) {
        return a.instruction != b.instruction ? a.instruction < b.instruction : a.number < b.number;
    });
    return turns;
}

} // namespace cuda_emulator

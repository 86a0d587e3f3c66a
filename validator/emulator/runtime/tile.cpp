#include "runtime/block.h"
#include "runtime/findings.h"
#include "runtime/observer.h"
#include "runtime/order.h"
#include "runtime/switch.h"

#include <algorithm>
#include <string>

/// Tiles of more threads than a warp has.
namespace cuda_emulator {

using emulator::FindingKind;

namespace {

void check_tile(std::uint32_t first, std::uint32_t size, int line) {
    if (first + size <= block->threads) return;
    abort_kernel(cudaErrorLaunchFailure, FindingKind::divergent_barrier,
                 "A tile of " + std::to_string(size) + " threads needs a block whose size is a multiple of " +
                     std::to_string(size) + ", and this block has " + std::to_string(block->threads) + ".",
                 line);
}

std::vector<std::uint64_t> results_of(const TileMeeting& meeting) {
    const auto is_true = [](std::uint64_t predicate) { return predicate != 0; };
    std::vector<std::uint64_t> results(meeting.size);
    if (meeting.kind == TileCall::any)
        std::ranges::fill(results, std::ranges::any_of(meeting.value, is_true));
    else if (meeting.kind == TileCall::all)
        std::ranges::fill(results, std::ranges::all_of(meeting.value, is_true));
    else if (meeting.kind == TileCall::shuffle)
        for (std::uint32_t rank = 0; rank < meeting.size; ++rank)
            results[rank] = meeting.value[meeting.source[rank] % meeting.size];
    return results;
}

/// All threads of the tile are here, and all but the current one wait.
void complete(const TileMeeting& meeting) {
    std::ranges::copy(results_of(meeting), block->tile_result.begin() + meeting.first);
    for (Fiber* fiber : meeting.waiting)
        make_ready(fiber);
    note_progress();
    if (!observer || meeting.kind != TileCall::sync) return;
    if (meeting.size == block->threads)
        observer->barrier();
    else
        observer->tile_barrier(meeting.first, meeting.size);
}

} // namespace

std::uint64_t tile_call(TileCall kind, unsigned int size, std::uint64_t value, unsigned int source,
                        int line) {
    if (!in_kernel) return value;
    const std::uint32_t thread = block->current->thread, rank = thread % size, first = thread - rank;
    check_tile(first, size, line);
    auto meeting = std::ranges::find_if(block->tiles, [&](const TileMeeting& m) {
        return m.first == first && m.size == size && m.kind == kind;
    });
    if (meeting == block->tiles.end())
        meeting = block->tiles.insert(meeting, {.kind = kind,
                                                .first = first,
                                                .size = size,
                                                .line = line,
                                                .value = std::vector<std::uint64_t>(size),
                                                .source = std::vector<std::uint32_t>(size)});
    meeting->value[rank] = value;
    meeting->source[rank] = source;
    if (meeting->waiting.size() + 1 == size) {
        const TileMeeting met = std::move(*meeting);
        block->tiles.erase(meeting);
        complete(met);
    } else {
        meeting->waiting.push_back(block->current);
        block_until_ready(line);
    }
    const std::uint64_t result = block->tile_result[thread];
    if (switches_here()) step_aside();
    return result;
}

void report_missing_of_tile(const TileMeeting& meeting) {
    std::vector<bool> here(meeting.size);
    for (const Fiber* fiber : meeting.waiting)
        here[fiber->thread - meeting.first] = true;
    const auto missing =
        meeting.first + static_cast<std::uint32_t>(std::ranges::find(here, false) - here.begin());
    emulator::Finding finding{.kind = FindingKind::divergent_barrier,
                              .message = "This call is made by " + std::to_string(meeting.waiting.size()) +
                                         " of the " + std::to_string(meeting.size) +
                                         " threads of a tile only: every thread of the tile must make it.",
                              .kernel = current_launch->kernel,
                              .thread = thread_id(meeting.waiting[0]->thread),
                              .where = at_line(meeting.line),
                              .other = {},
                              .other_thread = thread_id(missing)};
    if (const int line = block->waits_at[missing]; line != 0) finding.other = at_line(line);
    report(std::move(finding));
}

} // namespace cuda_emulator

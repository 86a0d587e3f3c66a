#include "runtime/block.h"
#include "runtime/findings.h"
#include "runtime/observer.h"
#include "runtime/switch.h"

namespace cuda_emulator {

using emulator::FindingKind;

namespace {

int result_of(Barrier kind, std::uint32_t sum) {
    switch (kind) {
    case Barrier::count: return static_cast<int>(sum);
    case Barrier::all: return sum == block->threads;
    case Barrier::any: return sum > 0;
    case Barrier::plain: break;
    }
    return 0;
}

/// All threads of the block are here, so none of them is blocked anywhere else.
void release_barrier() {
    for (std::uint32_t warp = 0; warp * warp_lanes < block->threads; ++warp)
        block->warps[warp].blocked = 0;
    block->ready.push(block->waiting.data(), block->waiting_count);
    block->waiting_count = 0;
    note_progress();
}

[[noreturn]] void refuse_second_barrier(int line) {
    report({.kind = FindingKind::divergent_barrier,
            .message =
                "Threads of one block wait at two different barriers: each __syncthreads must be reached by "
                "all threads of the block.",
            .kernel = current_launch->kernel,
            .thread = thread_id(block->current->thread),
            .where = at_line(line),
            .other = at_line(block->barrier_line),
            .other_thread = thread_id(block->waiting[0]->thread)});
    abort_kernel(cudaErrorLaunchFailure);
}

} // namespace

int block_barrier(Barrier kind, int predicate, int line) {
    if (!in_kernel) return 0;
    if (block->waiting_count == 0) {
        block->barrier_line = line;
        block->barrier_kind = kind;
        block->barrier_sum = 0;
    } else if (line != block->barrier_line || kind != block->barrier_kind) {
        refuse_second_barrier(line);
    }
    block->barrier_sum += predicate != 0;
    if (block->waiting_count + 1 == block->threads) {
        block->barrier_result = result_of(kind, block->barrier_sum);
        release_barrier();
        if (observer) observer->barrier();
    } else {
        block->waiting[block->waiting_count++] = block->current;
        block_until_ready(line);
    }
    return block->barrier_result;
}

namespace {

void report_missed_barrier() {
    std::vector<bool> here(block->threads);
    for (std::uint32_t i = 0; i < block->waiting_count; ++i)
        here[block->waiting[i]->thread] = true;
    std::uint32_t missing = 0;
    while (here[missing])
        ++missing;
    emulator::Finding finding{.kind = FindingKind::divergent_barrier,
                              .message = {},
                              .kernel = current_launch->kernel,
                              .thread = thread_id(block->waiting[0]->thread),
                              .where = at_line(block->barrier_line),
                              .other = {},
                              .other_thread = thread_id(missing)};
    finding.message = "This barrier is reached by " + std::to_string(block->waiting_count) +
                      " of the block's " + std::to_string(block->threads) +
                      " threads only, the others have returned: every thread of a " +
                      "block must reach each __syncthreads.";
    report(std::move(finding));
}

std::string hexadecimal(std::uint32_t mask) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%08x", mask);
    return text;
}

void report_missing_lanes(std::uint32_t warp, const WarpMeeting& meeting) {
    const std::uint32_t missing = meeting.mask & ~meeting.arrived & ~block->warps[warp].exited;
    const auto first = [&](std::uint32_t lanes) {
        return warp * warp_lanes + static_cast<std::uint32_t>(__builtin_ctz(lanes));
    };
    emulator::Finding finding{.kind = FindingKind::missing_lanes,
                              .message = "A warp call names lanes " + hexadecimal(meeting.mask) +
                                         ", but lanes " + hexadecimal(missing) +
                                         " do not make this call: every lane in the mask must.",
                              .kernel = current_launch->kernel,
                              .thread = thread_id(first(meeting.arrived)),
                              .where = at_line(meeting.line),
                              .other = {},
                              .other_thread = thread_id(first(missing))};
    if (const int line = block->waits_at[first(missing)]; line != 0) finding.other = at_line(line);
    report(std::move(finding));
}

} // namespace

void report_stuck_block() {
    bool named = false;
    for (std::uint32_t warp = 0; warp * warp_lanes < block->threads; ++warp)
        for (const WarpMeeting& meeting : block->warps[warp].meetings) {
            report_missing_lanes(warp, meeting);
            named = true;
        }
    for (const TileMeeting& meeting : block->tiles) {
        report_missing_of_tile(meeting);
        named = true;
    }
    if (!named && block->waiting_count > 0) report_missed_barrier();
}

} // namespace cuda_emulator

#include "runtime/block.h"
#include "runtime/findings.h"
#include "runtime/observer.h"
#include "runtime/order.h"
#include "runtime/switch.h"

#include <algorithm>
#include <utility>

namespace cuda_emulator {

using emulator::FindingKind;

namespace {

/// What a shuffle delivers from a lane that takes no part: undefined on a device, NaN or -1 here.
constexpr std::uint64_t nobodys_value = ~std::uint64_t{0};

template <class Visit>
void for_each_lane(std::uint32_t lanes, Visit visit) {
    for (; lanes != 0; lanes &= lanes - 1)
        visit(static_cast<std::uint32_t>(__builtin_ctz(lanes)));
}

bool is_shuffle(WarpCall kind) {
    return kind >= WarpCall::shuffle && kind <= WarpCall::shuffle_xor;
}

/// The lane that `lane` reads from; its own where the pattern leaves the segment.
std::uint32_t source_lane(const WarpMeeting& meeting, std::uint32_t lane) {
    const auto width = static_cast<std::uint32_t>(meeting.width[lane]);
    const std::uint32_t begin = lane & ~(width - 1), end = begin + width;
    const std::uint32_t argument = meeting.argument[lane];
    switch (meeting.kind) {
    case WarpCall::shuffle: return begin + (argument & (width - 1));
    case WarpCall::shuffle_up: return argument <= lane - begin ? lane - argument : lane;
    case WarpCall::shuffle_down: return argument < end - lane ? lane + argument : lane;
    default: return (lane ^ argument) < end ? lane ^ argument : lane;
    }
}

void shuffle_lanes(Warp& warp, const WarpMeeting& meeting, std::uint32_t first_thread) {
    for_each_lane(meeting.arrived, [&](std::uint32_t lane) {
        const std::uint32_t source = source_lane(meeting, lane);
        if (meeting.arrived >> source & 1) {
            warp.result[lane] = meeting.value[source];
            return;
        }
        warp.result[lane] = nobodys_value;
        if (!(meeting.mask >> source & 1)) return;
        const bool exists = warp.existing >> source & 1;
        report({.kind = FindingKind::missing_lanes,
                .message = "A shuffle reads from lane " + std::to_string(source) +
                           (exists ? ", which has already returned: the value is undefined."
                                   : ", which this block does not have: the value is undefined."),
                .kernel = current_launch->kernel,
                .thread = thread_id(first_thread + lane),
                .where = at_line(meeting.line),
                .other = {},
                .other_thread = {}});
    });
}

std::uint32_t reduce(const WarpMeeting& meeting) {
    std::uint32_t total = 0;
    bool first = true;
    for_each_lane(meeting.arrived, [&](std::uint32_t lane) {
        const auto v = static_cast<std::uint32_t>(meeting.value[lane]);
        const auto less = [](std::uint32_t a, std::uint32_t b) {
            return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
        };
        if (std::exchange(first, false)) {
            total = v;
            return;
        }
        switch (meeting.kind) {
        case WarpCall::add: total += v; break;
        case WarpCall::min_signed: total = std::min(total, v, less); break;
        case WarpCall::max_signed: total = std::max(total, v, less); break;
        case WarpCall::min_unsigned: total = std::min(total, v); break;
        case WarpCall::max_unsigned: total = std::max(total, v); break;
        case WarpCall::bit_and: total &= v; break;
        case WarpCall::bit_or: total |= v; break;
        default: total ^= v; break;
        }
    });
    return total;
}

/// The lanes among those that arrived whose value equals that of `lane`.
std::uint32_t equal_lanes(const WarpMeeting& meeting, std::uint32_t lane) {
    std::uint32_t equal = 0;
    for_each_lane(meeting.arrived, [&](std::uint32_t other) {
        if (meeting.value[other] == meeting.value[lane]) equal |= 1u << other;
    });
    return equal;
}

void settle_vote(Warp& warp, const WarpMeeting& meeting) {
    std::uint32_t votes = 0;
    for_each_lane(meeting.arrived, [&](std::uint32_t lane) {
        if (meeting.value[lane] != 0) votes |= 1u << lane;
    });
    for_each_lane(meeting.arrived, [&](std::uint32_t lane) {
        switch (meeting.kind) {
        case WarpCall::ballot: warp.result[lane] = votes; break;
        case WarpCall::all: warp.result[lane] = votes == meeting.arrived; break;
        case WarpCall::any: warp.result[lane] = votes != 0; break;
        case WarpCall::match_any: warp.result[lane] = equal_lanes(meeting, lane); break;
        default: warp.result[lane] = equal_lanes(meeting, lane) == meeting.arrived ? meeting.mask : 0; break;
        }
    });
}

/// Works out every lane's result and lets all but the current thread go on.
void complete(std::uint32_t warp_index, const WarpMeeting& meeting) {
    Warp& warp = block->warps[warp_index];
    const std::uint32_t first_thread = warp_index * warp_lanes;
    if (meeting.kind == WarpCall::sync) {
        if (observer) observer->warp_barrier(warp_index, meeting.arrived);
    } else if (is_shuffle(meeting.kind)) {
        shuffle_lanes(warp, meeting, first_thread);
    } else if (meeting.kind == WarpCall::active) {
        for_each_lane(meeting.arrived, [&](std::uint32_t lane) { warp.result[lane] = meeting.arrived; });
    } else if (meeting.kind >= WarpCall::add) {
        const std::uint64_t total = reduce(meeting);
        for_each_lane(meeting.arrived, [&](std::uint32_t lane) { warp.result[lane] = total; });
    } else {
        settle_vote(warp, meeting);
    }
    for_each_lane(meeting.arrived & warp.blocked,
                  [&](std::uint32_t lane) { make_ready(block->fiber_of[first_thread + lane]); });
    note_progress();
}

bool everybody_here(const Warp& warp, const WarpMeeting& meeting) {
    // Lanes that are together are those that come before all others have gone elsewhere.
    if (meeting.kind == WarpCall::active)
        return (warp.existing & ~(warp.exited | warp.blocked | warp.paused | meeting.arrived)) == 0;
    return meeting.arrived == (meeting.mask & warp.existing & ~warp.exited);
}

void check_call(WarpCall kind, std::uint32_t mask, std::uint32_t lane, int width, int line) {
    if (!(mask >> lane & 1))
        abort_kernel(
            cudaErrorLaunchFailure, FindingKind::missing_lanes,
            "A lane makes a warp call whose mask does not name it: pass a mask with the bits of all lanes "
            "that make the call.",
            line);
    if (is_shuffle(kind) && (width < 1 || width > 32 || (width & (width - 1)) != 0))
        abort_kernel(cudaErrorLaunchFailure, FindingKind::missing_lanes,
                     "The width of a shuffle must be a power of two from 1 to 32.", line);
}

} // namespace

std::uint64_t warp_call(WarpCall kind, unsigned int mask, std::uint64_t value, unsigned int argument,
                        int width, int line) {
    if (!in_kernel) return value;
    const std::uint32_t thread = block->current->thread, lane = thread % warp_lanes;
    Warp& warp = block->warps[thread / warp_lanes];
    check_call(kind, mask, lane, width, line);
    auto meeting = std::find_if(warp.meetings.begin(), warp.meetings.end(), [&](const WarpMeeting& m) {
        return m.kind == kind && m.mask == mask && (kind != WarpCall::active || m.line == line);
    });
    if (meeting == warp.meetings.end()) {
        meeting = warp.meetings.emplace(meeting);
        meeting->kind = kind;
        meeting->mask = mask;
        meeting->line = line;
        if (kind == WarpCall::active) warp.paused = 0;
    }
    meeting->arrived |= 1u << lane;
    meeting->value[lane] = value;
    meeting->argument[lane] = argument;
    meeting->width[lane] = width;
    if (everybody_here(warp, *meeting)) {
        const WarpMeeting met = *meeting;
        warp.meetings.erase(meeting);
        complete(thread / warp_lanes, met);
    } else {
        block_until_ready(line);
    }
    const std::uint64_t result = warp.result[lane];
    // Lanes that have met need not go on together; which of them are together, only a pause would change.
    if (kind != WarpCall::active && switches_here()) step_aside();
    return result;
}

void lane_stopped(std::uint32_t warp_index) {
    Warp& warp = block->warps[warp_index];
    for (auto meeting = warp.meetings.begin(); meeting != warp.meetings.end();) {
        if (!everybody_here(warp, *meeting)) {
            ++meeting;
            continue;
        }
        complete(warp_index, *meeting);
        meeting = warp.meetings.erase(meeting);
    }
}

} // namespace cuda_emulator

// The memory that a call gets: where it is, what is laid out in it before the call, and what is read and
// checked after it.
#include "subject/session.h"

#include "subject/canary.h"

#include <algorithm>
#include <cstring>

namespace subject {
namespace {

/// While `long_copy` is copied a worker wakes up; while more than `last_copy` is, it falls asleep again.
constexpr std::size_t long_copy = 256 << 10;
constexpr std::size_t last_copy = 512 << 10;

} // namespace

/// Whether the next call has its regions in slots. Sanitizers and the emulator see more with memory of their
/// own, and a launcher knows nothing of guards; gaps that are kept are pages of the driver's memory.
bool Session::uses_slots() const {
    return program_.slots && program_.check == model::Check::none && !program_.emulated &&
           kept_ != Kept::gaps && is_in_slots(calls_before_ + transcript_.observations().size());
}

/// Copies a region in between its canaries.
void Session::lay_out(const PlacedRegion& region) {
    Arena& arena = worker_->arena();
    lay_canary(arena.base(), region.offset - canary_bytes);
    const std::size_t first = region.bytes - std::min(region.bytes, last_copy);
    arena.write(region.offset, region.data, first);
    if (region.bytes >= long_copy) worker_->rouse();
    arena.write(region.offset + first, region.data + first, region.bytes - first);
    if (!in_slot(region.offset)) lay_canary(arena.base(), region.offset + region.bytes);
}

void Session::check_regions(const char* name, const std::vector<Buffer>& buffers,
                            const std::vector<PlacedRegion>& regions, Observation& observation) {
    const std::byte* base = worker_->arena().base();
    const auto damaged = [&](int argument, std::uint32_t how) {
        observation.damage = observation.damage * 31 + static_cast<std::uint32_t>(argument) * 4 + how;
    };
    for (const PlacedRegion& region : regions) {
        if (region.in_arena) continue;
        const std::byte* at = base + region.offset;
        if (!canary_intact(base, region.offset - canary_bytes)) {
            listener_->overran(name, region.argument, true);
            damaged(region.argument, 1);
        }
        if (!in_slot(region.offset) && !canary_intact(base, region.offset + region.bytes)) {
            listener_->overran(name, region.last_argument, false);
            damaged(region.last_argument, 2);
        }
        if (region.bytes == 0) continue;
        if (region.writable) {
            // The one and only look at what was written: whatever a thread of the worker does later changes
            // nothing.
            if (region.read_only) {
                copy_writable(region, buffers, at);
                observation.outputs.push_back(transcript_.output(region.kind, region.data, region.bytes));
            } else {
                observation.outputs.push_back(transcript_.take(region.kind, region.data, at, region.bytes));
            }
        }
        if (region.read_only && std::memcmp(region.data, at, region.bytes) != 0) {
            const int argument = changed_argument(region, buffers, at);
            listener_->changed_input(name, argument);
            damaged(argument, 3);
        }
    }
}

} // namespace subject

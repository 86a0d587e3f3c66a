#include "runtime/warp_log.h"

#include "runtime/members.h"

#include <algorithm>

namespace cuda_emulator {

/// For a lane that is the first to come so far, or leaves the others.
void WarpLog::lead(std::uint32_t lane, std::uint64_t address, AccessShape shape) {
    members_ = members_ || shape.member();
    if (!apart_ && taken_[lane] < used_) part();
    if (apart_) return lists_[lane].push_back({address, shape});
    if (used_ == steps_.size()) steps_.emplace_back();
    Step& step = steps_[used_++];
    step.begin(address, shape);
    step.add(lane, address);
    ++taken_[lane];
}

/// From steps to lists.
void WarpLog::part() {
    for (std::uint32_t number = 0; number < used_; ++number) {
        const Step& step = steps_[number];
        for (std::uint32_t lane = 0; lane < warp_lanes; ++lane)
            if (step.lanes >> lane & 1) lists_[lane].push_back({step.address[lane], step.shape});
    }
    used_ = 0;
    apart_ = true;
}

void WarpLog::join_members() {
    if (!members_) return;
    if (!apart_) part();
    for (auto& list : lists_)
        cuda_emulator::join_members(list);
}

void WarpLog::clear() {
    used_ = 0;
    members_ = false;
    taken_.fill(0);
    if (!apart_) return;
    apart_ = false;
    for (auto& list : lists_)
        list.clear();
}

bool WarpLog::all_to_the_end() const {
    return std::all_of(taken_.begin(), taken_.end(),
                       [&](std::uint32_t taken) { return taken == 0 || taken == used_; });
}

} // namespace cuda_emulator

#include "runtime/races.h"

#include <algorithm>

/// What orders the accesses of a race detector: barriers of warps and tiles, and fences with atomics.
namespace cuda_emulator {

namespace {

void join(std::vector<std::uint32_t>& into, const std::vector<std::uint32_t>& other) {
    if (into.size() < other.size()) into.resize(other.size());
    for (std::size_t i = 0; i < other.size(); ++i)
        into[i] = std::max(into[i], other[i]);
}

} // namespace

void RaceDetector::forget_threads() {
    for (std::uint32_t number = 0; number < warps_.size(); ++number) {
        WarpOrder& warp = warps_[number];
        if (!warp.used) continue;
        warp.used = false;
        std::fill_n(&epochs_[number * warp_lanes], warp_lanes, 0);
        for (auto& lane : warp.met)
            lane.fill(0);
    }
    if (!fences_used_) return;
    fences_used_ = false;
    epochs_.fill(0);
    for (std::uint32_t thread = 0; thread < max_threads; ++thread) {
        clocks_[thread].clear();
        before_fence_[thread].clear();
    }
    handed_.clear();
}

void RaceDetector::warp_barrier(std::uint32_t warp_index, std::uint32_t lanes) {
    WarpOrder& warp = warps_[warp_index];
    warp.used = true;
    std::array<std::uint32_t, warp_lanes> all{};
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane)
        if (lanes >> lane & 1)
            for (std::uint32_t other = 0; other < warp_lanes; ++other)
                all[other] = std::max(all[other], warp.met[lane][other]);
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane)
        if (lanes >> lane & 1)
            all[lane] =
                ++epochs_[warp_index * warp_lanes + lane]; // everything before it carries a smaller epoch
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane)
        if (lanes >> lane & 1) warp.met[lane] = all;
    if (!fences_used_) return;
    Clock clock;
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane)
        if (lanes >> lane & 1) join(clock, clocks_[warp_index * warp_lanes + lane]);
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane)
        if (lanes >> lane & 1) clocks_[warp_index * warp_lanes + lane] = clock;
}

/// All that a thread has met, and itself up to here.
RaceDetector::Clock RaceDetector::known_to(std::uint32_t thread) {
    Clock known = clocks_[thread];
    known.resize(max_threads);
    const std::uint32_t first = thread / warp_lanes * warp_lanes;
    if (const WarpOrder& warp = warps_[thread / warp_lanes]; warp.used)
        for (std::uint32_t lane = 0; lane < warp_lanes; ++lane)
            known[first + lane] = std::max(known[first + lane], warp.met[thread % warp_lanes][lane]);
    known[thread] = ++epochs_[thread]; // everything before it carries a smaller epoch
    return known;
}

void RaceDetector::tile_barrier(std::uint32_t first_thread, std::uint32_t threads) {
    fences_used_ = true;
    Clock all;
    for (std::uint32_t thread = first_thread; thread < first_thread + threads; ++thread)
        join(all, known_to(thread));
    std::fill_n(clocks_.begin() + first_thread, threads, all);
}

void RaceDetector::fence(std::uint32_t thread, Scope scope) {
    if (scope != Scope::block) fenced_ = true;
    fences_used_ = true;
    before_fence_[thread] = known_to(thread);
}

void RaceDetector::atomic(std::uint32_t thread, std::uintptr_t address, AtomicUse use) {
    const bool releases = (static_cast<int>(use.order) & static_cast<int>(Order::release)) != 0;
    if (releases && use.kind != AtomicKind::load) fence(thread, use.scope);
    if (fences_used_) {
        const auto handed = handed_.find(address);
        if (handed != handed_.end()) join(clocks_[thread], handed->second);
        if (!before_fence_[thread].empty() && use.kind != AtomicKind::load)
            join(handed_[address], before_fence_[thread]);
    }
    if (use.scope != Scope::block) meet_block(address);
}

/// The same for whole blocks.
void RaceDetector::meet_block(std::uintptr_t address) {
    if (!fenced_ && released_.empty()) return;
    auto& released = released_[address];
    const std::size_t size =
        std::max<std::size_t>({released.size(), acquired_.size(), block_ + std::size_t{1}});
    released.resize(size);
    acquired_.resize(size);
    for (std::size_t i = 0; i < size; ++i)
        if (released[i]) acquired_[i] = true;
    if (!fenced_) return;
    for (std::size_t i = 0; i < size; ++i)
        if (acquired_[i]) released[i] = true;
    released[block_] = true;
}

bool RaceDetector::ordered_in_warp(std::uint32_t thread, std::uint32_t other,
                                   std::uint32_t other_epoch) const {
    if (thread / warp_lanes != other / warp_lanes) return false;
    const WarpOrder& warp = warps_[thread / warp_lanes];
    return warp.used && warp.met[thread % warp_lanes][other % warp_lanes] > other_epoch;
}

} // namespace cuda_emulator

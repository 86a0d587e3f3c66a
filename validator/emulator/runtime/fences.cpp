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

void join(std::vector<bool>& into, const std::vector<bool>& other) {
    if (into.size() < other.size()) into.resize(other.size());
    for (std::size_t i = 0; i < other.size(); ++i)
        if (other[i]) into[i] = true;
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
        seen_[thread].clear();
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
    acquire(known_);
    if (!fences_used_) return;
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane)
        if (lanes >> lane & 1) acquire(warp_index * warp_lanes + lane);
    Clock clock;
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane)
        if (lanes >> lane & 1) join(clock, clocks_[warp_index * warp_lanes + lane]);
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane)
        if (lanes >> lane & 1) clocks_[warp_index * warp_lanes + lane] = clock;
}

/// What a thread has seen by comparing counts from here on.
void RaceDetector::acquire(std::uint32_t thread) {
    join(clocks_[thread], seen_[thread]);
    seen_[thread].clear();
}

/// The same for whole blocks.
void RaceDetector::acquire(Known& known) {
    join(known.acquired, known.seen);
    known.seen.clear();
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
    acquire(known_);
    for (std::uint32_t thread = first_thread; thread < first_thread + threads; ++thread) {
        acquire(thread);
        join(all, known_to(thread));
    }
    std::fill_n(clocks_.begin() + first_thread, threads, all);
}

void RaceDetector::fence(std::uint32_t thread, Scope scope) {
    if (scope != Scope::block) {
        known_.fenced = true;
        acquire(known_);
    }
    fences_used_ = true;
    acquire(thread);
    before_fence_[thread] = known_to(thread);
}

void RaceDetector::atomic(std::uint32_t thread, std::uintptr_t address, AtomicUse use) {
    const bool releases = (static_cast<int>(use.order) & static_cast<int>(Order::release)) != 0;
    if (releases && use.kind != AtomicKind::load) fence(thread, use.scope);
    const bool acquires = use.kind != AtomicKind::compare ||
                          (static_cast<int>(use.order) & static_cast<int>(Order::acquire)) != 0;
    if (fences_used_) {
        const auto handed = handed_.find(address);
        if (handed != handed_.end()) join((acquires ? clocks_ : seen_)[thread], handed->second);
        if (!before_fence_[thread].empty() && use.kind != AtomicKind::load)
            join(handed_[address], before_fence_[thread]);
    }
    if (use.scope != Scope::block) meet_block(address, acquires);
}

/// The same for whole blocks.
void RaceDetector::meet_block(std::uintptr_t address, bool acquires) {
    if (!known_.fenced && released_.empty()) return;
    auto& released = released_[address];
    join(acquires ? known_.acquired : known_.seen, released);
    if (!known_.fenced) return;
    join(released, known_.acquired);
    if (released.size() <= block_) released.resize(block_ + std::size_t{1});
    released[block_] = true;
}

bool RaceDetector::ordered_in_warp(std::uint32_t thread, std::uint32_t other,
                                   std::uint32_t other_epoch) const {
    if (thread / warp_lanes != other / warp_lanes) return false;
    const WarpOrder& warp = warps_[thread / warp_lanes];
    return warp.used && warp.met[thread % warp_lanes][other % warp_lanes] > other_epoch;
}

} // namespace cuda_emulator

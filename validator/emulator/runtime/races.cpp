#include "runtime/races.h"

#include <algorithm>

namespace cuda_emulator {

using emulator::AccessKind;

namespace {

// A record in a block: thread 10 bits, epoch of its lane 20, instruction 24, bytes 4, and a bit that it is
// one.
constexpr std::uint64_t present = std::uint64_t{1} << 63;

std::uint64_t pack(std::uint32_t thread, std::uint32_t epoch, std::uint32_t instruction, std::uint32_t mask) {
    return present | thread | std::uint64_t{epoch & 0xfffffu} << 10 |
           std::uint64_t{instruction & 0xffffffu} << 30 | std::uint64_t{mask} << 54;
}
std::uint32_t thread_of(std::uint64_t record) {
    return record & 0x3ffu;
}
std::uint32_t epoch_of(std::uint64_t record) {
    return record >> 10 & 0xfffffu;
}
std::uint32_t instruction_of(std::uint64_t record) {
    return record >> 30 & 0xffffffu;
}
std::uint32_t mask_of(std::uint64_t record) {
    return record >> 54 & 0xfu;
}

// A record between blocks: block 32 bits, instruction 24, bytes 4 in the place of the above.
std::uint64_t pack_between(std::uint32_t block_index, std::uint32_t instruction, std::uint32_t mask) {
    return present | block_index | std::uint64_t{instruction & 0x3fffffu} << 32 | std::uint64_t{mask} << 54;
}
std::uint32_t between_block(std::uint64_t record) {
    return static_cast<std::uint32_t>(record);
}
std::uint32_t between_instruction(std::uint64_t record) {
    return record >> 32 & 0x3fffffu;
}

} // namespace

void RaceDetector::launch_begins(std::uint32_t launch) {
    launch_ = launch & 0xffffffu;
    released_.clear();
}

void RaceDetector::block_begins(std::uint32_t linear_index) {
    block_ = linear_index;
    ++interval_;
    fenced_ = false;
    acquired_.clear();
    for (WarpOrder& warp : warps_) {
        if (!warp.used) continue;
        warp.used = false;
        warp.epoch.fill(0);
        for (auto& lane : warp.met)
            lane.fill(0);
    }
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
        if (lanes >> lane & 1) all[lane] = ++warp.epoch[lane]; // everything before it carries a smaller epoch
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane)
        if (lanes >> lane & 1) warp.met[lane] = all;
}

void RaceDetector::atomic(std::uintptr_t address) {
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

bool RaceDetector::conflicts_in_block(const Cell& cell, std::uint32_t thread, std::uint32_t mask,
                                      AccessKind kind, Conflict* conflict) const {
    for (int i = 0; i < Cell::kinds; ++i) {
        const std::uint64_t record = cell.in_block[i];
        if (record == 0) continue;
        const bool other_reads = i == Cell::read || i == Cell::read_by_another;
        if (kind == AccessKind::load && other_reads) continue;
        if (kind == AccessKind::atomic && i == Cell::atomic) continue;
        const std::uint32_t other = thread_of(record);
        if (other == thread || !(mask_of(record) & mask) || ordered_in_warp(thread, other, epoch_of(record)))
            continue;
        *conflict = {false, instruction_of(record), other, block_};
        return true;
    }
    return false;
}

bool RaceDetector::conflicts_between(const Cell& cell, std::uint32_t mask, AccessKind kind,
                                     Conflict* conflict) const {
    for (int i = 0; i < Cell::betweens; ++i) {
        const std::uint64_t record = cell.between_blocks[i];
        if (record == 0) continue;
        if (kind == AccessKind::load && i == Cell::first_read) continue;
        if (kind == AccessKind::atomic && i == Cell::first_atomic) continue;
        const std::uint32_t other = between_block(record);
        if (other == block_ || !(mask_of(record) & mask)) continue;
        if (other < acquired_.size() && acquired_[other]) continue;
        *conflict = {true, between_instruction(record), 0, other};
        return true;
    }
    return false;
}

void RaceDetector::remember(Cell& cell, std::uint32_t thread, std::uint32_t mask, AccessKind kind,
                            std::uint32_t instruction, bool other_blocks) const {
    const std::uint32_t epoch = warps_[thread / warp_lanes].epoch[thread % warp_lanes];
    const std::uint64_t record = pack(thread, epoch, instruction, mask);
    if (kind == AccessKind::load) {
        // Two different readers are enough: whoever writes is not both of them.
        if (cell.in_block[Cell::read] != 0 && thread_of(cell.in_block[Cell::read]) != thread)
            cell.in_block[Cell::read_by_another] = cell.in_block[Cell::read];
        cell.in_block[Cell::read] = record;
    } else {
        cell.in_block[kind == AccessKind::store ? Cell::write : Cell::atomic] = record;
    }
    if (!other_blocks) return;
    auto& first = cell.between_blocks[kind == AccessKind::load    ? Cell::first_read
                                      : kind == AccessKind::store ? Cell::first_write
                                                                  : Cell::first_atomic];
    if (first == 0)
        first = pack_between(block_, instruction, mask);
    else if (between_block(first) == block_)
        first |= std::uint64_t{mask} << 54;
}

bool RaceDetector::access(Cell& cell, std::uint32_t thread, std::uint32_t mask, AccessKind kind,
                          std::uint32_t instruction, bool other_blocks, Conflict* conflict) {
    if (cell.interval != interval_) {
        std::fill(std::begin(cell.in_block), std::end(cell.in_block), 0);
        cell.interval = interval_;
    }
    if (cell.launch != launch_) {
        std::fill(std::begin(cell.between_blocks), std::end(cell.between_blocks), 0);
        cell.launch = launch_ & 0xffffffu;
        cell.bytes_read = cell.bytes_written = 0;
    }
    const bool raced = conflicts_in_block(cell, thread, mask, kind, conflict) ||
                       (other_blocks && conflicts_between(cell, mask, kind, conflict));
    remember(cell, thread, mask, kind, instruction, other_blocks);
    return raced;
}

std::uint32_t RaceDetector::first_use(Cell& cell, std::uint32_t mask, AccessKind kind) {
    const std::uint32_t before = kind == AccessKind::load ? cell.bytes_read : cell.bytes_written;
    const std::uint32_t fresh = mask & ~before & 0xfu;
    if (kind == AccessKind::load)
        cell.bytes_read = (before | mask) & 0xfu;
    else
        cell.bytes_written = (before | mask) & 0xfu;
    return static_cast<std::uint32_t>(__builtin_popcount(fresh));
}

} // namespace cuda_emulator

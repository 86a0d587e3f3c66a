#pragma once

#include "runtime/block.h"
#include "runtime/shadow.h"

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace cuda_emulator {

/// Who made an earlier access that conflicts with the present one.
struct Conflict {
    bool between_blocks = false;
    std::uint32_t instruction = 0;
    std::uint32_t thread = 0; ///< in its block
    std::uint32_t block = 0;  ///< linear index
};

/// Finds conflicting accesses that nothing orders.
///
/// Two accesses conflict if they touch a common byte, at least one writes, and they are not both atomic. In a
/// block they are ordered by a barrier of the block, or by a __syncwarp both threads took part in afterwards
/// and before: each warp keeps, for every pair of lanes, how much of the one's past the other has met.
/// Between blocks of a launch an order exists only by the pattern of a fence, then an atomic on some address,
/// which a later block's atomic on the same address sees.
class RaceDetector {
  public:
    void launch_begins(std::uint32_t launch);
    void block_begins(std::uint32_t linear_index);
    void barrier() { ++interval_; }
    void warp_barrier(std::uint32_t warp, std::uint32_t lanes);
    void fence() { fenced_ = true; }
    void atomic(std::uintptr_t address);

    /// Notes that `thread` touches the bytes `mask` of a cell, and says whom it races with, if anybody.
    /// `within` is false for shared memory, which no other block can see.
    bool access(Cell& cell, std::uint32_t thread, std::uint32_t mask, emulator::AccessKind kind,
                std::uint32_t instruction, bool other_blocks, Conflict* conflict);
    /// Bytes of the cell used for the first time in this launch.
    static std::uint32_t first_use(Cell& cell, std::uint32_t mask, emulator::AccessKind kind);

  private:
    struct WarpOrder {
        std::array<std::uint32_t, warp_lanes> epoch;
        std::array<std::array<std::uint32_t, warp_lanes>, warp_lanes> met; ///< [lane][other]
        bool used = false;
    };

    bool ordered_in_warp(std::uint32_t thread, std::uint32_t other, std::uint32_t other_epoch) const;
    bool conflicts_in_block(const Cell& cell, std::uint32_t thread, std::uint32_t mask,
                            emulator::AccessKind kind, Conflict* conflict) const;
    bool conflicts_between(const Cell& cell, std::uint32_t mask, emulator::AccessKind kind,
                           Conflict* conflict) const;
    void remember(Cell& cell, std::uint32_t thread, std::uint32_t mask, emulator::AccessKind kind,
                  std::uint32_t instruction, bool other_blocks) const;

    std::uint32_t launch_ = 0, block_ = 0, interval_ = 1;
    bool fenced_ = false;
    std::vector<bool> acquired_; ///< blocks whose writes this block may rely on
    std::unordered_map<std::uintptr_t, std::vector<bool>> released_;
    std::array<WarpOrder, max_threads / warp_lanes> warps_{};
};

} // namespace cuda_emulator

#pragma once

#include "runtime/warp_log.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace cuda_emulator {

/// An access by a lane of a warp whose lanes went different ways.
struct Turn {
    std::uint32_t instruction = 0;
    std::uint32_t lane = 0;
    std::uint32_t place = 0;    ///< in what the lane did
    std::uint64_t number = 0;   ///< which execution of its instruction by this lane
    std::uint64_t together = 0; ///< equal for those that are one request
    LoggedAccess access;
};

/// All of them, by instruction and number; those of equal number are together.
std::vector<Turn> turns_of(const WarpLog& log);

/// Those of two instructions as those of the first one.
std::vector<Turn> joined(std::span<const Turn> one, std::span<const Turn> other);

/// Rounds of loops of which some lanes skip a part: on hardware, these wait behind it for the others. An
/// instruction that all lanes execute equally often tells the rounds apart, and so do two, one for each of
/// two branches, that they execute equally often together.
class Rounds {
  public:
    explicit Rounds(const WarpLog& log);

    /// Two instructions of which each lane executes one a round.
    struct Branches {
        std::uint32_t one = 0, other = 0;
    };
    const std::vector<Branches>& branches() const { return branches_; }
    /// Whether lanes executed this one instruction, all of whose turns these are, unequally often.
    bool are_uneven(std::span<const Turn> same) const;
    /// How many ways there are to tell rounds apart.
    std::size_t count() const { return before_.size(); }
    /// Puts those of one round together, the n-th of each lane in it.
    void put_together(std::span<Turn> same, std::size_t way) const;

  private:
    using Before = std::array<std::vector<std::uint32_t>, warp_lanes>;

    std::uint32_t lanes_ = 0;
    std::vector<Branches> branches_;
    std::vector<Before> before_; ///< of each such instruction, or two: executions before each place of a lane
};

} // namespace cuda_emulator

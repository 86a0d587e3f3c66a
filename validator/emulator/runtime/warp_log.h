#pragma once

#include "emulator/trace.h"

#include "runtime/block.h"

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace cuda_emulator {

/// An access by a lane, but for its address: the number of its instruction 32 bits, bytes 16 (a larger copy
/// is logged in pieces), kind 8, whether it is to a member of a vector, and whether to shared memory.
class AccessShape {
  public:
    AccessShape() = default;
    AccessShape(std::uint32_t instruction, std::uint32_t bytes, emulator::AccessKind kind, bool member,
                bool shared)
        : bits_(std::uint64_t{instruction} << 32 | bytes << 16 | static_cast<std::uint32_t>(kind) << 8 |
                static_cast<std::uint32_t>(member) << 1 | static_cast<std::uint32_t>(shared)) {}

    std::uint32_t instruction() const { return static_cast<std::uint32_t>(bits_ >> 32); }
    std::uint32_t bytes() const { return static_cast<std::uint32_t>(bits_ >> 16 & 0xffffu); }
    emulator::AccessKind kind() const { return static_cast<emulator::AccessKind>(bits_ >> 8 & 0xffu); }
    bool member() const { return (bits_ & 2) != 0; }
    bool shared() const { return (bits_ & 1) != 0; }
    /// The same access with another number of bytes.
    AccessShape of(std::uint32_t bytes) const { return {instruction(), bytes, kind(), member(), shared()}; }
    bool operator==(const AccessShape&) const = default;

  private:
    std::uint64_t bits_ = 0;
};

/// One access by one thread, as it happened.
struct LoggedAccess {
    std::uint64_t address = 0;
    AccessShape shape;
};

/// The same access made by some lanes of a warp, each at an address of its own.
struct Step {
    AccessShape shape;
    std::uint64_t first = 0; ///< the address of the lane that came first
    std::uint32_t lanes = 0;
    bool regular = true;        ///< lanes came in order, each `stride` behind the one before
    std::uint64_t stride = 0;   ///< modulo 2^64
    std::uint64_t expected = 0; ///< the address that keeps it regular
    std::array<std::uint64_t, warp_lanes> address; ///< by lane, of those that came

    void begin(std::uint64_t at, AccessShape made) {
        shape = made;
        first = at;
        lanes = 0;
        regular = true;
        stride = made.bytes();
        expected = at;
    }
    void add(std::uint32_t lane, std::uint64_t at) {
        const bool in_order = lanes >> lane == 0;
        if (at != expected || !in_order) deviate(at, in_order);
        expected = at + stride;
        address[lane] = at;
        lanes |= 1u << lane;
    }
    std::uint32_t count() const { return static_cast<std::uint32_t>(std::popcount(lanes)); }

  private:
    void deviate(std::uint64_t at, bool in_order) {
        if ((lanes & (lanes - 1)) == 0 && in_order)
            stride = at - first;
        else
            regular = false;
    }
};

/// What the lanes of a warp have done since the last barrier.
///
/// Lanes run one after another, and mostly do the same: the first one writes steps, the others follow in
/// them. Only where one does something else is a list kept for each lane.
class WarpLog {
  public:
    void add(std::uint32_t lane, std::uint64_t address, AccessShape shape) {
        const std::uint32_t at = taken_[lane];
        if (at >= used_ || !(steps_[at].shape == shape)) [[unlikely]]
            return lead(lane, address, shape);
        steps_[at].add(lane, address);
        ++taken_[lane];
    }
    void clear();

    bool empty() const { return used_ == 0 && !apart_; }
    /// Some lane did something else than the others: `list` holds what each did. Otherwise `step` does.
    bool apart() const { return apart_; }
    /// Puts what each lane did with members of vectors together, if there is any; they are apart then.
    void join_members();
    const std::vector<LoggedAccess>& list(std::uint32_t lane) const { return lists_[lane]; }
    std::uint32_t steps() const { return used_; }
    const Step& step(std::uint32_t number) const { return steps_[number]; }
    /// Every lane that took a step took them all.
    bool all_to_the_end() const;

  private:
    void lead(std::uint32_t lane, std::uint64_t address, AccessShape shape);
    void part();

    std::vector<Step> steps_;                       ///< the first `used_` count; more are kept for later
    std::uint32_t used_ = 0;                        ///< 0 once apart
    std::array<std::uint32_t, warp_lanes> taken_{}; ///< steps by each lane
    bool apart_ = false;
    bool members_ = false; ///< there are accesses to members of vectors
    std::array<std::vector<LoggedAccess>, warp_lanes> lists_;
};

} // namespace cuda_emulator

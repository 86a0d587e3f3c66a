#pragma once

#include "emulator/trace.h"

#include "runtime/block.h"

#include <array>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cuda_emulator {

/// One access by one thread, as it happened.
struct LoggedAccess {
    std::uint64_t address = 0;
    std::uint32_t instruction = 0; ///< its number
    std::uint16_t bytes = 0;       ///< at most 65535: a larger copy is logged in pieces
    emulator::AccessKind kind{};
    bool shared = false;
};

/// Puts the accesses of single threads together to what warps request, and counts sectors and bank conflicts.
///
/// A device executes an instruction for a whole warp; here the lanes run one after another. So the n-th time
/// that the lanes of a warp execute the same instruction between two barriers of the block is taken as one
/// request. For code whose lanes run the same way this is what a device does; where lanes take different
/// numbers of turns through a loop, a device may need more requests, never fewer sectors.
class TrafficCounter {
  public:
    void launch_begins(const Configuration& configuration);
    void log(std::uint32_t thread, const LoggedAccess& access) { logs_[thread].push_back(access); }
    /// Bytes that no thread of this launch has read (or written) before.
    void touch(std::uint64_t new_bytes) { kernels_[current_].minimum_bytes += new_bytes; }
    /// Turns the logs of a warp into requests.
    void settle(std::uint32_t warp);
    /// Offsets of instructions are filled in by `offset_of`.
    template <class OffsetOf>
    std::vector<emulator::KernelTraffic> take(OffsetOf offset_of) {
        for (auto& kernel : kernels_)
            for (auto& line : kernel.lines)
                line.where.offset = offset_of(line.where.offset);
        rows_.clear();
        current_ = 0;
        return std::exchange(kernels_, {});
    }

  private:
    using Group = std::array<LoggedAccess, warp_lanes>;

    bool settle_in_step(std::uint32_t first, std::uint32_t last);
    void settle_apart(std::uint32_t first, std::uint32_t last);
    void request(Group& group, std::uint32_t lanes);
    emulator::LineTraffic& row(const LoggedAccess& access);

    std::array<std::vector<LoggedAccess>, max_threads> logs_;
    std::vector<emulator::KernelTraffic> kernels_;
    std::size_t current_ = 0;
    std::unordered_map<std::uint64_t, std::size_t> rows_; ///< of (kernel, instruction, kind)
};

} // namespace cuda_emulator

#pragma once

#include "emulator/trace.h"

#include "runtime/request.h"
#include "runtime/warp_log.h"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace cuda_emulator {

/// Puts the accesses of single threads together to what warps request, and counts sectors and bank conflicts.
///
/// A device executes an instruction for a whole warp; here the lanes run one after another. So the n-th time
/// that the lanes of a warp execute the same instruction between two barriers of the block is taken as one
/// request. For code whose lanes run the same way this is what a device does; where lanes take different
/// numbers of turns through a loop, a device may need more requests, never fewer sectors. What counts where
/// they part says apart.h.
class TrafficCounter {
  public:
    void launch_begins(const Configuration& configuration);
    void log(std::uint32_t thread, std::uint64_t address, AccessShape shape) {
        logs_[thread / warp_lanes].add(thread % warp_lanes, address, shape);
    }
    /// Bytes that no thread of this launch has read (or written) before.
    void touch(std::uint64_t new_bytes) { kernel_->minimum_bytes += new_bytes; }
    /// Turns the log of a warp into requests.
    void settle(std::uint32_t warp) {
        if (!logs_[warp].empty()) settle(logs_[warp]);
    }
    /// Offsets of instructions are filled in by `offset_of`.
    template <class OffsetOf>
    std::vector<emulator::KernelTraffic> take(OffsetOf offset_of) {
        for (auto& kernel : kernels_)
            for (auto& line : kernel.lines)
                line.where.offset = offset_of(line.where.offset);
        rows_.clear();
        kernel_ = nullptr;
        return std::exchange(kernels_, {});
    }

  private:
    static constexpr std::uint32_t no_row = ~std::uint32_t{0};

    void settle(WarpLog& log);
    void settle_steps(const WarpLog& log);
    bool settle_in_step(const WarpLog& log);
    void settle_apart(const WarpLog& log);
    void request(const Step& step);
    void request(Group& group, std::uint32_t lanes);
    void add(emulator::LineTraffic& line, const Footprint& sum);
    emulator::LineTraffic& row(AccessShape shape);

    std::array<WarpLog, max_threads / warp_lanes> logs_;
    std::vector<emulator::KernelTraffic> kernels_;
    emulator::KernelTraffic* kernel_ = nullptr; ///< the present one
    /// For each of the kernels, by instruction, kind and space, its line's index or `no_row`.
    std::vector<std::vector<std::uint32_t>> rows_;
};

} // namespace cuda_emulator

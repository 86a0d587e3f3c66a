#pragma once

#include "cuda_runtime.h"

#include <cstdint>
#include <vector>

namespace cuda_emulator {

/// In which order a launch starts its blocks and their threads, and whether threads part at atomics and warp
/// calls.
///
/// A device promises none, so what depends on one must show. The shape of a launch and a number that the
/// worker chooses select one of four kinds: the same call has the same order in every program, so that the
/// outputs of two of them can be compared. A traced program sees what is not ordered whatever the order was,
/// and keeps to the first; but the half of a pattern that runs first has nobody to follow, so where threads
/// order each other every second launch of a kernel begins with the last block and the last warp.
struct LaunchOrder {
    enum class Kind { forward, backward, random, random_and_switching, last_warp_first };
    Kind kind = Kind::forward;
    std::uint32_t seed = 0;

    /// Which block is the n-th to start.
    std::uint64_t block_at(std::uint64_t n, std::uint64_t blocks) const;
    /// Which thread is the n-th of a block to start: warps in some order, and lanes of each.
    std::vector<std::uint16_t> threads(std::uint32_t count) const;
};

LaunchOrder order_of(const Configuration& configuration);
/// What `emulator::shift_orders` and `emulator::order_mattered` say.
void shift_orders(std::uint32_t by);
bool order_mattered();
/// A thread does what lets others see how far it has come.
void note_order_matters();
/// Whether the current thread should let others run here, although it need not.
bool switches_here();

} // namespace cuda_emulator

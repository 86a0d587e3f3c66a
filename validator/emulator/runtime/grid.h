#pragma once

#include "runtime/block.h"
#include "runtime/order.h"

namespace cuda_emulator {

/// Runs all blocks of a launch.
///
/// Theory of operation. A block that never waits for another runs to its end, and the next one begins in its
/// place. One that can do nothing but spin, or waits for the grid, is put aside with its shared memory, and
/// others run: first those that have not begun, as many as the device has space for, then those put aside, in
/// turn. If that changes nothing for long, it never will: what waits is reported, as the deadlock that it is
/// on a device.
void run_grid(const Configuration& configuration, const Work& work, LaunchOrder order);

/// How many blocks the device holds at once.
std::uint64_t resident_blocks(const Configuration& configuration);
std::uint32_t blocks_of_a_multiprocessor(std::uint32_t threads, std::size_t shared_bytes);

constexpr std::uint32_t multiprocessors = 8;

/// A finding about memory that the launch wrote outside of what it has.
void report_overrun(const std::string& message);

} // namespace cuda_emulator

#pragma once

#include "emulator/trace.h"
#include "model/control.h"

#include <cstddef>
#include <cstdint>

/// What the program that runs emulated kernels calls around them. Lives in the runtime library.
namespace emulator {

/// Finishes all work on all streams, then hands out everything observed since the last call and forgets it.
Trace take_trace();

/// From now on hears of each kernel as it begins to run, with the line of its launch, and with null and 0 as
/// it ends.
void watch_kernels(void (*watcher)(const char* kernel, int line));

/// Makes host memory device memory where it lies: nothing is copied, and pages that no kernel touches cost
/// nothing. `cudaFree` gives it back to the host. For memory too large to exist twice.
void adopt(void* memory, std::size_t bytes);

/// Frees everything, forgets errors, streams and observations: the device as a new process finds it.
void reset_device();

/// Gives launches of the same shape another order of blocks and threads; `model::thread_orders` numbers in a
/// row give as many orders.
void shift_orders(std::uint32_t by);
/// Whether what kernels did since then may depend on the order: threads used atomic operations, or waited for
/// each other in loops. Any other way to depend on it is a race, which a traced program sees whatever the
/// order was; so there the answer is always no.
bool order_mattered();

/// Calls of a contract whose work belongs on `stream` begin and end: meanwhile what waits for the device,
/// works on the default stream in its place, or is not given back, is a finding. Returns how many kernels
/// were launched.
void call_begins(const void* stream);
std::uint64_t call_ends();

/// Of the allocation at `memory` nothing is a call's to write; but for these rows. Ends when it is freed.
void keep(const void* memory);
void give(const void* first, std::size_t rows, std::size_t row_bytes, std::size_t stride_bytes);

/// From now on launches are checked and not made, copies and fills are not made, and scratch memory is small:
/// for sizes that nobody could wait for.
void rehearse(bool on);

/// Runs a kernel that a trace has to find fault with, on a device as a new process finds it: what it moves,
/// and that its threads race, is known beforehand.
void run_control(const model::Control& control);

} // namespace emulator

#pragma once

#include "model/control.h"
#include "subject/protocol.h"

#include <cstddef>
#include <cstdint>

/// Only in workers whose kernels run on the emulator, or on a GPU; elsewhere these are null.
namespace subject::shim {

/// Makes the GPU's context, so that no call has to wait for it. What goes wrong shows in the first call.
void open_gpu() __attribute__((weak));

/// From now on `control.kernel` names the kernel that runs.
void watch_kernels(Control& control) __attribute__((weak));

/// Lays what the device's runtime has observed since the last call into `to`, as one line of JSON; returns
/// its length, 0 where it does not fit.
std::size_t observed(std::byte* to, std::size_t capacity) __attribute__((weak));

/// The order in which the kernels of the next call run their threads, one of `model::thread_orders`; and
/// whether another one might have given another result.
void choose_order(std::uint32_t order) __attribute__((weak));
bool order_mattered() __attribute__((weak));

/// Runs the kernel of a trace's control.
void run_control(const model::Control& control) __attribute__((weak));

/// A call of a contract begins that works on `stream`; and ends, having launched so many kernels.
void call_begins(const void* stream) __attribute__((weak));
std::uint64_t call_ends() __attribute__((weak));

/// Of the block of device memory at `memory` nothing is the call's to write; but for these rows.
void keep(const void* memory) __attribute__((weak));
void give(const void* first, std::size_t rows, std::size_t row_bytes, std::size_t stride_bytes)
    __attribute__((weak));

/// From now on the work of calls is checked and not done.
void rehearse(bool on) __attribute__((weak));

/// Lends host memory to the device where it lies, instead of a copy.
bool lend(void* memory, std::size_t bytes) __attribute__((weak));

} // namespace subject::shim

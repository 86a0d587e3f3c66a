#pragma once

#include <cstdint>

namespace model {

/// What a checked worker does wrong as its last act, on the driver's orders, so that what observes it can
/// show that it still does. The driver chooses the numbers; they have to come back in the report.
struct Control {
    std::uint32_t size = 0; ///< sanitizers, races: bytes of the memory; trace: threads of the kernel
    /// Sanitizers: bytes beyond its end; races: bytes from its beginning; trace: floats from one thread's to
    /// the next's.
    std::uint32_t step = 0;
};

/// Sizes that a control may have: less than a page of memory, and no more than a block of threads.
inline constexpr std::uint32_t least_control_size = 33;
inline constexpr std::uint32_t max_control_size = 256;
inline constexpr std::uint32_t max_control_step = 6;

/// What the trace calls the kernel of its control.
inline constexpr const char* control_kernel = "the judge's control";

} // namespace model

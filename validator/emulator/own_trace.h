#pragma once

#include <cstddef>

/// How a traced program with a `main` of its own hands its trace out: as JSON in a piece of shared memory,
/// which begins with the length, and is its open descriptor of this number.
namespace emulator {

inline constexpr int own_trace_descriptor = 3;
inline constexpr std::size_t own_trace_bytes = std::size_t{4} << 20;

} // namespace emulator

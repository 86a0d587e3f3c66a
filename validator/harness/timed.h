#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace harness {

/// The size of a timed case: the first where time is taken, on a GPU with a few gigabytes; the second where
/// traffic is counted, on the emulator.
std::size_t at_scale(std::size_t measured, std::size_t counted);

/// Measures a function of the contract. `call` draws what is to be fresh in each call, makes one call of the
/// function, compares what came of it, and returns the bytes of device memory that the call cannot do
/// without, as for `minimum_traffic`. On a GPU it is made 3 times to warm up and 15 times more, each with the
/// device's cache flushed before; on the emulator once.
void time_calls(const std::string& function, const std::function<std::uint64_t()>& call);

/// How many different ids there are: so many rows of a table cannot be left out.
std::size_t distinct(std::span<const std::int32_t> ids);

} // namespace harness

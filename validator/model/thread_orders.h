#pragma once

#include <cstdint>

namespace model {

/// The emulator runs the threads of a launch in one of so many orders: forward, backward, and two random
/// ones.
inline constexpr std::uint32_t thread_orders = 4;

} // namespace model

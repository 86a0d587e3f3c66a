#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace teaching {

/// How far a run has come, how fast it is, and how long the rest will take at that rate:
/// "judging, 120 of 600, 1.5 a second, 5 min left".
std::string pace(std::size_t done, std::size_t all, std::chrono::duration<double> elapsed);

} // namespace teaching

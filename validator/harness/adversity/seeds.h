#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace harness {

/// Tables that are drawn from one seed, each of them in reading order.
using Drawn = std::vector<std::vector<float>>;

/// Claims that `draw` gives each of many seeds, and each of its tables, numbers of its own, and none that are
/// those of another one moved: small seeds, those at the ends of 64 bits, and those that differ from a small
/// one in a single bit. The numbers have to be continuous, all of one distribution, 32 to 256 a table: two
/// are equal with a probability below 1e-6, so three at the same places of two tables, or three in a row at
/// any places, in any of the comparisons, are below 1e-6.
void expect_own_numbers(const std::string& what, const std::function<Drawn(std::uint64_t seed)>& draw);

} // namespace harness

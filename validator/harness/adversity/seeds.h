#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace harness {

/// Tables that are drawn from one seed, each of them in reading order.
using Drawn = std::vector<std::vector<float>>;

/// Claims that `draw` gives each of many seeds, and each of its tables, numbers of its own: small seeds,
/// those at the ends of 64 bits, and those that differ in their upper half alone. The numbers have to be
/// continuous, all of one distribution, at least 32 a table: two are equal with a probability below 1e-6, so
/// three at the same places of two tables, in any of the comparisons, are below 1e-9.
void expect_own_numbers(const std::string& what, const std::function<Drawn(std::uint64_t seed)>& draw);

} // namespace harness

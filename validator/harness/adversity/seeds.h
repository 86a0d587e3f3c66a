#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace harness {

/// Claims that `draw` gives each of many seeds numbers of its own: small seeds, those at the ends of 64 bits,
/// and those that differ in their upper half alone. The numbers have to be continuous, at least 32 of them:
/// two are equal with a probability below 1e-6, so three in any of the comparisons are below 1e-9.
void expect_own_numbers(const std::string& what,
                        const std::function<std::vector<float>(std::uint64_t seed)>& draw);

} // namespace harness

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace similarity {

/// Some consecutive tokens of a program, counted from 0.
struct Stretch {
    std::uint32_t begin = 0;
    std::uint32_t end = 0; ///< one past the last
};

/// Two stretches of two programs that the tester takes for alike.
struct Match {
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    Stretch in_first;
    Stretch in_second;
};

/// Reads the output of sim -n about files named 0, 1, …, of which file i has `sizes[i]` lines, one a token.
/// Skips all other lines, and matches that are not within the files: the output is untrusted, because sim has
/// read hostile text.
std::vector<Match> read_matches(std::string_view printed, std::span<const std::size_t> sizes);

} // namespace similarity

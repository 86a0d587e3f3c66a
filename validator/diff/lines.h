#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace diff {

/// The lines of a text, each with its "\n"; the last may lack it.
std::vector<std::string_view> lines_of(std::string_view text);

/// A line of the base that a changed text keeps, both counted from 0.
struct Match {
    std::size_t base = 0;
    std::size_t changed = 0;
};

/// As many lines as the two have in common in the same order. Of equal choices the first, so that a change
/// lies as late as it can. Texts that differ in thousands of lines have nothing between their common
/// beginning and their common end.
std::vector<Match> common_lines(const std::vector<std::string_view>& base,
                                const std::vector<std::string_view>& changed);

} // namespace diff

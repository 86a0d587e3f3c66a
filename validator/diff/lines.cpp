#include "diff/lines.h"

#include <algorithm>
#include <cstdint>

namespace diff {
namespace {

using Lines = std::vector<std::string_view>;

constexpr std::size_t max_cells = 16'000'000; ///< 64 MB

/// The longest common subsequence of base[begin, base_end) and changed[begin, changed_end).
void match_between(const Lines& base, const Lines& changed, std::size_t begin, std::size_t base_end,
                   std::size_t changed_end, std::vector<Match>& matches) {
    const std::size_t rows = base_end - begin;
    const std::size_t cols = changed_end - begin;
    if (rows == 0 || cols == 0 || rows > max_cells / cols) return;
    // longest[i][j]: how many lines the rests from i and from j on have in common.
    std::vector<std::uint32_t> longest((rows + 1) * (cols + 1));
    const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& {
        return longest[i * (cols + 1) + j];
    };
    for (std::size_t i = rows; i-- > 0;)
        for (std::size_t j = cols; j-- > 0;)
            at(i, j) = base[begin + i] == changed[begin + j] ? at(i + 1, j + 1) + 1
                                                             : std::max(at(i + 1, j), at(i, j + 1));
    for (std::size_t i = 0, j = 0; i < rows && j < cols;) {
        if (base[begin + i] == changed[begin + j])
            matches.push_back({begin + i++, begin + j++});
        else if (at(i + 1, j) >= at(i, j + 1))
            ++i;
        else
            ++j;
    }
}

} // namespace

Lines lines_of(std::string_view text) {
    Lines lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::size_t length = end == std::string_view::npos ? text.size() : end + 1;
        lines.push_back(text.substr(0, length));
        text.remove_prefix(length);
    }
    return lines;
}

std::vector<Match> common_lines(const Lines& base, const Lines& changed) {
    std::vector<Match> matches;
    const std::size_t shorter = std::min(base.size(), changed.size());
    std::size_t begin = 0;
    for (; begin < shorter && base[begin] == changed[begin]; ++begin)
        matches.push_back({begin, begin});
    std::size_t tail = 0;
    while (tail < shorter - begin && base[base.size() - 1 - tail] == changed[changed.size() - 1 - tail])
        ++tail;
    match_between(base, changed, begin, base.size() - tail, changed.size() - tail, matches);
    for (; tail > 0; --tail)
        matches.push_back({base.size() - tail, changed.size() - tail});
    return matches;
}

} // namespace diff

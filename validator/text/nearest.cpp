#include "text/nearest.h"

#include <algorithm>
#include <cstddef>

namespace text {
namespace {

/// Optimal string alignment: Damerau-Levenshtein in which no substring is edited twice.
std::size_t distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> before_previous, previous(b.size() + 1), current(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        previous[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        current[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            current[j] = std::min({replaced, previous[j] + 1, current[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                current[j] = std::min(current[j], before_previous[j - 2] + 1);
        }
        before_previous = previous;
        previous = current;
    }
    return previous[b.size()];
}

} // namespace

std::optional<std::string> nearest(const std::string& wanted, const std::vector<std::string>& known) {
    std::optional<std::string> best;
    std::size_t bound = std::max<std::size_t>(1, wanted.size() / 3);
    for (const std::string& candidate : known) {
        const auto [shorter, longer] = std::minmax({wanted.size(), candidate.size()});
        if (longer - shorter > bound) continue; // also keeps a hostile megabyte from being compared
        const std::size_t edits = distance(wanted, candidate);
        if (edits > bound || (best && edits == bound)) continue;
        best = candidate;
        bound = edits;
    }
    return best;
}

} // namespace text

#include "bundle/difference.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

namespace bundle {
namespace {

/// More pairs than this are not compared: what lies between two equal ends then counts as one edit.
constexpr std::size_t max_pairs = 4'000'000;

/// A line's words, or one word.
struct Unit {
    std::string text;
    std::size_t first = 0; ///< index of its first word
};

/// The edits that a longest common subsequence leaves, in numbers of units.
std::vector<Edit> compare(std::span<const Unit> before, std::span<const Unit> after) {
    std::size_t head = 0;
    while (head < before.size() && head < after.size() && before[head].text == after[head].text)
        ++head;
    std::size_t tail = 0;
    while (tail < before.size() - head && tail < after.size() - head &&
           before[before.size() - 1 - tail].text == after[after.size() - 1 - tail].text)
        ++tail;
    const std::size_t n = before.size() - head - tail;
    const std::size_t m = after.size() - head - tail;
    if (n == 0 && m == 0) return {};
    if (n == 0 || m == 0 || m > max_pairs / n) return {{{head, head + n}, {head, head + m}}};

    // common[i][j]: how long the subsequence of what follows unit i and unit j is.
    std::vector<std::uint32_t> common((n + 1) * (m + 1), 0);
    const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& { return common[i * (m + 1) + j]; };
    for (std::size_t i = n; i-- > 0;)
        for (std::size_t j = m; j-- > 0;)
            at(i, j) = before[head + i].text == after[head + j].text ? at(i + 1, j + 1) + 1
                                                                     : std::max(at(i + 1, j), at(i, j + 1));

    std::vector<Edit> edits;
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < n || j < m) {
        if (i < n && j < m && before[head + i].text == after[head + j].text) {
            ++i;
            ++j;
            continue;
        }
        Edit edit{{head + i, 0}, {head + j, 0}};
        while ((i < n || j < m) && !(i < n && j < m && before[head + i].text == after[head + j].text)) {
            const bool remove = j == m || (i < n && at(i + 1, j) >= at(i, j + 1));
            ++(remove ? i : j);
        }
        edit.before.last = head + i;
        edit.after.last = head + j;
        edits.push_back(edit);
    }
    return edits;
}

std::vector<Unit> lines_of(const std::vector<reader::Word>& words) {
    std::vector<Unit> lines;
    int line = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (lines.empty() || words[i].line != line) lines.push_back({{}, i});
        line = words[i].line;
        lines.back().text += words[i].text;
        lines.back().text += ' ';
    }
    return lines;
}

std::vector<Unit> units_of(const std::vector<reader::Word>& words, const Edit::Range& range) {
    std::vector<Unit> units;
    for (std::size_t i = range.first; i < range.last; ++i)
        units.push_back({std::string(words[i].text), i});
    return units;
}

Edit::Range in_words(const Edit::Range& range, const std::vector<Unit>& units, std::size_t end) {
    const auto first = [&](std::size_t unit) { return unit < units.size() ? units[unit].first : end; };
    return {first(range.first), first(range.last)};
}

/// Whether these words begin and end as declarations or statements do, with all their brackets.
bool complete(const std::vector<reader::Word>& words, const Edit::Range& range) {
    const auto ends = [&](std::size_t i) { return words[i].text == ";" || words[i].text == "}"; };
    if (range.first > 0 && !ends(range.first - 1) && words[range.first - 1].text != "{") return false;
    if (!ends(range.last - 1)) return false;
    for (std::size_t i = range.first; i < range.last; ++i)
        if (words[i].partner > 0 && (words[i].partner < range.first || words[i].partner >= range.last))
            return false;
    return true;
}

/// What is added next to an equal neighbour could as well be the neighbour: moves the edit to where it is
/// complete, if there is such a place within `limits`, the words between the edits before and after it.
Edit settled(const Edit& edit, const Edit& limits, const std::vector<reader::Word>& before,
             const std::vector<reader::Word>& after) {
    if (edit.before.empty() == edit.after.empty()) return edit;
    const std::vector<reader::Word>& words = edit.before.empty() ? after : before;
    for (const int step : {-1, 1}) {
        Edit moved = edit;
        for (;;) {
            const Edit::Range& range = edit.before.empty() ? moved.after : moved.before;
            if (complete(words, range)) return moved;
            if (step < 0
                    ? moved.before.first == limits.before.first || moved.after.first == limits.after.first
                    : moved.before.last == limits.before.last || moved.after.last == limits.after.last)
                break;
            const std::size_t joins = step < 0 ? range.first - 1 : range.last;
            const std::size_t leaves = step < 0 ? range.last - 1 : range.first;
            if (words[joins].text != words[leaves].text) break;
            for (std::size_t* end :
                 {&moved.before.first, &moved.before.last, &moved.after.first, &moved.after.last})
                *end += static_cast<std::size_t>(step);
        }
    }
    return edit;
}

} // namespace

std::vector<Edit> changed_lines(const std::vector<reader::Word>& before,
                                const std::vector<reader::Word>& after) {
    const std::vector<Unit> old_lines = lines_of(before);
    const std::vector<Unit> new_lines = lines_of(after);
    std::vector<Edit> edits = compare(old_lines, new_lines);
    for (Edit& edit : edits)
        edit = {in_words(edit.before, old_lines, before.size()),
                in_words(edit.after, new_lines, after.size())};
    Edit limits{};
    for (std::size_t i = 0; i < edits.size(); ++i) {
        const bool last = i + 1 == edits.size();
        limits.before.last = last ? before.size() : edits[i + 1].before.first;
        limits.after.last = last ? after.size() : edits[i + 1].after.first;
        edits[i] = settled(edits[i], limits, before, after);
        limits.before.first = edits[i].before.last;
        limits.after.first = edits[i].after.last;
    }
    return edits;
}

std::vector<Edit> changed_words(const std::vector<reader::Word>& before,
                                const std::vector<reader::Word>& after, const Edit& edit) {
    if (edit.before.empty() || edit.after.empty()) return {edit};
    std::vector<Edit> edits = compare(units_of(before, edit.before), units_of(after, edit.after));
    for (Edit& each : edits) {
        each.before.first += edit.before.first;
        each.before.last += edit.before.first;
        each.after.first += edit.after.first;
        each.after.last += edit.after.first;
    }
    return edits;
}

} // namespace bundle

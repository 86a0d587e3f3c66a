#include "diff/make.h"

#include "diff/lines.h"

#include <algorithm>
#include <vector>

namespace diff {
namespace {

using Lines = std::vector<std::string_view>;

constexpr std::size_t context = 3;

/// Lines of the base that others take the place of, both half open.
struct Change {
    std::size_t base_begin, base_end;
    std::size_t begin, end;
};

std::vector<Change> changes_between(const Lines& base, const Lines& changed) {
    std::vector<Match> matches = common_lines(base, changed);
    matches.push_back({base.size(), changed.size()});
    std::vector<Change> changes;
    std::size_t i = 0, j = 0;
    for (const Match& match : matches) {
        if (i < match.base || j < match.changed) changes.push_back({i, match.base, j, match.changed});
        i = match.base + 1;
        j = match.changed + 1;
    }
    return changes;
}

void add_line(std::string& text, char sign, std::string_view line) {
    if (sign != ' ' || line != "\n") text += sign;
    text += line;
    if (!line.ends_with('\n')) text += "\n\\ No newline at end of file\n";
}

std::string range(std::size_t begin, std::size_t count) {
    const std::string start = std::to_string(count == 0 ? begin : begin + 1);
    return count == 1 ? start : start + "," + std::to_string(count);
}

/// The hunk of changes [first, last], which lie so close that they share their context.
std::string hunk(const Lines& base, const Lines& changed, const Change* first, const Change* last) {
    const std::size_t before = std::min(context, first->base_begin);
    const std::size_t after = std::min(context, base.size() - last->base_end);
    const std::size_t begin = first->base_begin - before;
    const std::size_t end = last->base_end + after;
    const std::size_t new_begin = first->begin - before;
    const std::size_t new_end = last->end + after;
    std::string text =
        "@@ -" + range(begin, end - begin) + " +" + range(new_begin, new_end - new_begin) + " @@\n";
    std::size_t i = begin;
    for (const Change* change = first; change <= last; ++change) {
        for (; i < change->base_begin; ++i)
            add_line(text, ' ', base[i]);
        for (; i < change->base_end; ++i)
            add_line(text, '-', base[i]);
        for (std::size_t j = change->begin; j < change->end; ++j)
            add_line(text, '+', changed[j]);
    }
    for (; i < end; ++i)
        add_line(text, ' ', base[i]);
    return text;
}

} // namespace

std::string make(std::string_view base, std::string_view changed, const std::string& base_name,
                 const std::string& changed_name) {
    const Lines old_lines = lines_of(base);
    const Lines new_lines = lines_of(changed);
    const std::vector<Change> changes = changes_between(old_lines, new_lines);
    if (changes.empty()) return {};
    std::string text = "--- " + base_name + "\n+++ " + changed_name + "\n";
    const Change* const end = changes.data() + changes.size();
    for (const Change* first = changes.data(); first != end;) {
        const Change* last = first;
        while (last + 1 != end && (last + 1)->base_begin - last->base_end <= 2 * context)
            ++last;
        text += hunk(old_lines, new_lines, first, last);
        first = last + 1;
    }
    return text;
}

double shared(std::string_view base, std::string_view changed) {
    const Lines lines = lines_of(changed);
    if (lines.empty()) return 1;
    return static_cast<double>(common_lines(lines_of(base), lines).size()) /
           static_cast<double>(lines.size());
}

} // namespace diff

#include "similarity/matches.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace similarity {
namespace {

/// Reads a line from left to right; after the first thing that is not there, nothing is.
class Line {
  public:
    explicit Line(std::string_view text) : rest_(text) {}

    void skip(std::string_view expected) {
        if (!rest_.starts_with(expected)) return fail();
        rest_.remove_prefix(expected.size());
    }
    void skip_spaces() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }
    std::uint32_t number() {
        std::uint32_t value = 0;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (error == std::errc())
            rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        else
            fail();
        return value;
    }
    bool ended() const { return good_ && rest_.empty(); }

  private:
    void fail() {
        good_ = false;
        rest_ = {};
    }
    std::string_view rest_;
    bool good_ = true;
};

/// "3: line 14-19", with lines counted from 1.
Stretch read_side(Line& line, std::uint32_t& file) {
    file = line.number();
    line.skip(": line ");
    const std::uint32_t first = line.number();
    line.skip("-");
    const std::uint32_t last = line.number();
    line.skip_spaces();
    return {first - 1, last}; // 0 becomes the largest number, which is within no file
}

/// "0: line 3-11      |4: line 6-12       [119]"
std::optional<Match> read_line(std::string_view text) {
    Line line(text);
    Match match;
    match.in_first = read_side(line, match.first);
    line.skip("|");
    match.in_second = read_side(line, match.second);
    line.skip("[");
    line.number();
    line.skip("]");
    if (!line.ended()) return std::nullopt;
    return match;
}

bool is_within(const Stretch& stretch, std::uint32_t file, std::span<const std::size_t> sizes) {
    return file < sizes.size() && stretch.begin < stretch.end && stretch.end <= sizes[file];
}

} // namespace

std::vector<Match> read_matches(std::string_view printed, std::span<const std::size_t> sizes) {
    std::vector<Match> matches;
    while (!printed.empty()) {
        const std::string_view line = printed.substr(0, printed.find('\n'));
        printed.remove_prefix(std::min(line.size() + 1, printed.size()));
        const auto match = read_line(line);
        if (match && match->first != match->second && is_within(match->in_first, match->first, sizes) &&
            is_within(match->in_second, match->second, sizes))
            matches.push_back(*match);
    }
    return matches;
}

} // namespace similarity

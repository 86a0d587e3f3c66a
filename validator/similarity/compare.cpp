#include "similarity/compare.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace similarity {
namespace {

/// A mark for each token of a program.
using Tokens = std::vector<bool>;

void mark(Tokens& tokens, const Stretch& stretch) {
    std::fill(tokens.begin() + stretch.begin, tokens.begin() + stretch.end, true);
}

std::size_t marked(const Tokens& tokens) {
    return static_cast<std::size_t>(std::ranges::count(tokens, true));
}

/// What of each program is in the starter as well.
std::vector<Tokens> starters_part(const std::vector<Program>& programs, const std::vector<Match>& matches) {
    std::vector<Tokens> common;
    common.reserve(programs.size());
    for (const Program& program : programs)
        common.emplace_back(program.tokens.size(), program.is(Origin::starter));
    for (const Match& match : matches) {
        if (programs[match.second].is(Origin::starter)) mark(common[match.first], match.in_first);
        if (programs[match.first].is(Origin::starter)) mark(common[match.second], match.in_second);
    }
    return common;
}

/// Tokens of one side's parts that are not in the starter.
std::size_t own_matched(const Tokens& common, const std::vector<Stretch>& parts) {
    Tokens matching(common.size());
    for (const Stretch& part : parts)
        mark(matching, part);
    std::size_t count = 0;
    for (std::size_t i = 0; i < common.size(); ++i)
        count += matching[i] && !common[i] ? 1 : 0;
    return count;
}

bool is_starters(const Match& match, const std::vector<Tokens>& common) {
    const Tokens& tokens = common[match.first];
    return std::all_of(tokens.begin() + match.in_first.begin, tokens.begin() + match.in_first.end,
                       [](bool is_common) { return is_common; });
}

std::size_t length(const Match& match) {
    return match.in_first.end - match.in_first.begin;
}

/// Nothing for programs with too little of their own.
std::optional<Pair> pair_of(std::span<const Match> matches, const std::vector<Tokens>& common) {
    Pair pair{matches.front().first, matches.front().second, 0, 0, {}};
    const Tokens& first = common[pair.first];
    const Tokens& second = common[pair.second];
    const std::size_t own = std::min(first.size() - marked(first), second.size() - marked(second));
    if (own < min_own_tokens) return std::nullopt;
    std::vector<Stretch> in_first;
    std::vector<Stretch> in_second;
    for (const Match& match : matches) {
        in_first.push_back(match.in_first);
        in_second.push_back(match.in_second);
        if (!is_starters(match, common)) pair.parts.push_back(match);
    }
    const std::size_t matched = std::min(own_matched(first, in_first), own_matched(second, in_second));
    pair.share = std::min(1.0, static_cast<double>(matched) / static_cast<double>(own));
    std::ranges::stable_sort(pair.parts, std::greater(), length);
    return pair;
}

/// All pairs that have a match.
std::vector<Pair> pairs_of(std::vector<Match> matches, const std::vector<Tokens>& common) {
    for (Match& match : matches)
        if (match.first > match.second) {
            std::swap(match.first, match.second);
            std::swap(match.in_first, match.in_second);
        }
    const auto programs = [](const Match& match) { return std::pair(match.first, match.second); };
    std::ranges::stable_sort(matches, {}, programs);
    std::vector<Pair> pairs;
    for (auto begin = matches.begin(); begin != matches.end();) {
        const auto end = std::ranges::upper_bound(begin, matches.end(), programs(*begin), {}, programs);
        if (auto pair = pair_of({begin, end}, common)) pairs.push_back(*std::move(pair));
        begin = end;
    }
    return pairs;
}

bool share_a_name(const Program& first, const Program& second) {
    return std::ranges::find_first_of(first.names, second.names) != first.names.end();
}

bool is_of_interest(const Program& first, const Program& second) {
    return (first.is(Origin::class_) || second.is(Origin::class_)) && !first.is(Origin::starter) &&
           !second.is(Origin::starter) && !share_a_name(first, second);
}

/// Pairs without a match share nothing.
Baseline baseline_of(const std::vector<Program>& programs, const std::vector<Pair>& pairs) {
    const auto course = static_cast<std::size_t>(
        std::ranges::count_if(programs, [](const Program& one) { return one.is(Origin::course); }));
    std::vector<double> shares;
    for (const Pair& pair : pairs)
        if (programs[pair.first].is(Origin::course) && programs[pair.second].is(Origin::course))
            shares.push_back(pair.share);
    Baseline baseline{course * (course - std::min<std::size_t>(course, 1)) / 2, 0, 0};
    if (baseline.pairs == 0) return baseline;
    shares.resize(std::max(shares.size(), baseline.pairs));
    std::ranges::sort(shares);
    baseline.usual = shares[shares.size() / 2];
    baseline.most = shares.back();
    return baseline;
}

} // namespace

Comparison compare(const std::vector<Program>& programs, std::vector<Match> matches) {
    const std::vector<Tokens> common = starters_part(programs, matches);
    std::vector<Pair> pairs = pairs_of(std::move(matches), common);
    Comparison comparison{baseline_of(programs, pairs), {}};
    const double most = comparison.baseline.most;
    std::erase_if(pairs, [&](const Pair& pair) {
        return pair.share <= most || !is_of_interest(programs[pair.first], programs[pair.second]);
    });
    for (Pair& pair : pairs)
        pair.excess = (pair.share - most) / (1 - most); // most < share <= 1
    std::ranges::stable_sort(pairs, std::greater(), &Pair::excess);
    comparison.pairs = std::move(pairs);
    return comparison;
}

} // namespace similarity

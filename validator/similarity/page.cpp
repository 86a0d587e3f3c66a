#include "similarity/page.h"

#include "picture/page.h"
#include "report/escape.h"
#include "report/words.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace similarity {
namespace {

constexpr std::string_view purpose =
    "Pairs of programs that have more in common than any two accepted programs of the course have. That is a "
    "reason to read both, and no more: short problems have few natural solutions, and what was shown in a "
    "lecture, a book or an editor's suggestion looks alike wherever it is used. Only talking to the authors "
    "tells how two programs came about.";

constexpr std::string_view style =
    "<style>.pair{display:grid;grid-template-columns:1fr 1fr;gap:0 16px}.pair>*{min-width:0}"
    ".pair pre{line-height:1.7}"
    "mark{background:none;color:inherit;text-decoration:underline 2px;text-underline-offset:4px}"
    "mark sup{font-weight:600}.s0{text-decoration-color:var(--s0)}.s1{text-decoration-color:var(--s1)}"
    ".s2{text-decoration-color:var(--s2)}.s3{text-decoration-color:var(--s3)}"
    ".s4{text-decoration-color:var(--s4)}.s5{text-decoration-color:var(--s5)}"
    "@media(max-width:700px){.pair{grid-template-columns:1fr}}</style>\n";

constexpr std::size_t colours = 6;

/// A pair with the problem that it is of.
struct Ranked {
    const ProblemResult* result = nullptr;
    const Pair* pair = nullptr;

    const Program& first() const { return result->programs[pair->first]; }
    const Program& second() const { return result->programs[pair->second]; }
};

std::vector<Ranked> ranked(const std::vector<ProblemResult>& results, std::size_t max_pairs) {
    std::vector<Ranked> all;
    for (const ProblemResult& result : results)
        for (const Pair& pair : result.comparison.pairs)
            all.push_back({&result, &pair});
    std::ranges::stable_sort(
        all, [](const Ranked& a, const Ranked& b) { return a.pair->excess > b.pair->excess; });
    if (all.size() > max_pairs) all.resize(max_pairs);
    return all;
}

std::size_t pairs_in(const std::vector<ProblemResult>& results) {
    std::size_t count = 0;
    for (const ProblemResult& result : results)
        count += result.comparison.pairs.size();
    return count;
}

std::set<std::string> distinct_names(const Program& program) {
    return {program.names.begin(), program.names.end()};
}

/// Programs that several people have, at least one of them of the class.
std::vector<const Program*> equal_programs(const ProblemResult& result) {
    std::vector<const Program*> equal;
    for (const Program& program : result.programs)
        if (distinct_names(program).size() > 1 && program.is(Origin::class_) && !program.is(Origin::starter))
            equal.push_back(&program);
    return equal;
}

std::string names_of(const Program& program) {
    return fmt::format("{}", fmt::join(distinct_names(program), ", "));
}

std::string baseline_words(const ProblemResult& result) {
    const Baseline& baseline = result.comparison.baseline;
    if (baseline.pairs == 0) return "the course has no two accepted programs to compare with";
    return fmt::format("accepted programs of the course share {:.0f} % as a rule, {:.0f} % at most",
                       100 * baseline.usual, 100 * baseline.most);
}

std::string terminal_name(const std::string& text) {
    return report::terminal(text, report::limit::name, report::Lines::show);
}

std::string html_name(const std::string& text) {
    return report::html(text, report::limit::name);
}

std::string kept_lines(std::string_view text) {
    return report::xml(text, max_program_bytes, report::Lines::keep);
}

struct Part {
    Stretch at;
    std::size_t number;
};

/// One side of a pair, with its parts marked and numbered; where parts overlap, the first has the tokens.
std::string marked_text(const Program& program, std::vector<Part> parts) {
    std::ranges::stable_sort(parts, {}, [](const Part& part) { return part.at.begin; });
    std::string text;
    std::size_t done = 0;
    std::uint32_t next_token = 0;
    const std::string_view source = program.text;
    for (const Part& part : parts) {
        if (part.at.begin < next_token) continue;
        const std::size_t begin = program.tokens[part.at.begin].begin;
        const std::size_t end = program.tokens[part.at.end - 1].end;
        text += kept_lines(source.substr(done, begin - done));
        text += fmt::format("<mark class=\"s{}\"><sup>{}</sup>{}</mark>", part.number % colours,
                            part.number + 1, kept_lines(source.substr(begin, end - begin)));
        done = end;
        next_token = part.at.end;
    }
    return text + kept_lines(source.substr(done));
}

std::string side(const Program& program, const std::vector<Match>& matches, Stretch Match::*where) {
    std::vector<Part> parts;
    for (std::size_t i = 0; i < matches.size(); ++i)
        parts.push_back({matches[i].*where, i});
    return fmt::format("<div><h4>{}</h4><pre>{}</pre></div>", html_name(names_of(program)),
                       marked_text(program, std::move(parts)));
}

std::string row(const Ranked& one, std::size_t number) {
    return fmt::format("<tr><td><a href=\"#p{0}\">{0}</a></td><td>{1}</td><td>{2}</td><td>{3}</td>"
                       "<td class=\"number\">{4:.0f} %</td><td class=\"number\">{5:.0f} %</td></tr>\n",
                       number, html_name(one.result->problem), html_name(names_of(one.first())),
                       html_name(names_of(one.second())), 100 * one.pair->share, 100 * one.pair->excess);
}

std::string pairs_table(const std::vector<Ranked>& pairs) {
    if (pairs.empty()) return "<p>There is no such pair.</p>\n";
    std::string text = "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Pairs\"><table "
                       "class=\"names\"><tr><th scope=\"col\">Pair</th><th scope=\"col\">Problem</th><th "
                       "scope=\"col\">Program</th><th scope=\"col\">Program</th><th scope=\"col\">In "
                       "common</th><th scope=\"col\">Above the baseline</th></tr>\n";
    for (std::size_t i = 0; i < pairs.size(); ++i)
        text += row(pairs[i], i + 1);
    return text + "</table></div>\n";
}

std::string equal_items(const ProblemResult& result) {
    std::string text;
    for (const Program* equal : equal_programs(result))
        text += fmt::format("<li>{}</li>\n", report::html(names_of(*equal), report::limit::sentence));
    if (text.empty()) return {};
    return "<p>The same but for layout, comments and preprocessor lines:</p>\n<ul>\n" + text + "</ul>\n";
}

std::string problem_section(const ProblemResult& result) {
    std::string text =
        fmt::format("<section><h3>{}</h3>\n<p>{}; {}.</p>\n", html_name(result.problem),
                    report::count(result.programs.size(), "different program"), baseline_words(result));
    if (!result.trouble.empty())
        text += "<p class=\"bad\">" + report::html(result.trouble, report::limit::sentence) + "</p>\n";
    return text + equal_items(result) + "</section>\n";
}

std::string pair_section(const Ranked& one, std::size_t number) {
    return fmt::format("<section id=\"p{0}\"><h3>{0}. {1}: {2:.0f} % in common</h3><div class=\"pair\">{3}{4}"
                       "</div></section>\n",
                       number, html_name(one.result->problem), 100 * one.pair->share,
                       side(one.first(), one.pair->parts, &Match::in_first),
                       side(one.second(), one.pair->parts, &Match::in_second));
}

} // namespace

std::string table(const std::vector<ProblemResult>& results, std::size_t max_pairs) {
    std::string text;
    for (const ProblemResult& result : results) {
        text +=
            fmt::format("{}: {}, {}\n", result.problem,
                        report::count(result.programs.size(), "different program"), baseline_words(result));
        for (const Program* equal : equal_programs(result))
            text += "  the same but for layout, comments and preprocessor lines: " +
                    report::terminal(names_of(*equal), report::limit::sentence, report::Lines::show) + "\n";
    }
    const std::size_t all = pairs_in(results);
    text += all == 0 ? "No two programs have more in common than that.\n"
                     : fmt::format("{} in common than that:\n",
                                   report::count(all, "pair") + (all == 1 ? " has more" : " have more"));
    for (const Ranked& one : ranked(results, max_pairs))
        text += fmt::format("  {:3.0f} %  {}: {} | {}\n", 100 * one.pair->share, one.result->problem,
                            terminal_name(names_of(one.first())), terminal_name(names_of(one.second())));
    if (all > max_pairs) text += fmt::format("  and {} more\n", all - max_pairs);
    return text;
}

std::string page(std::string_view title, const std::vector<ProblemResult>& results, std::size_t max_pairs) {
    const std::vector<Ranked> pairs = ranked(results, max_pairs);
    std::string body = fmt::format("{}<p>{}</p>\n", style, purpose);
    body += "<h2>Pairs</h2>\n" + pairs_table(pairs);
    if (const std::size_t all = pairs_in(results); all > pairs.size())
        body +=
            fmt::format("<p class=\"soft\">and {} more, which have less in common</p>\n", all - pairs.size());
    body += "<h2>Problems</h2>\n";
    for (const ProblemResult& result : results)
        body += problem_section(result);
    if (!pairs.empty()) body += "<h2>Side by side</h2>\n";
    for (std::size_t i = 0; i < pairs.size(); ++i)
        body += pair_section(pairs[i], i + 1);
    return picture::page(report::repaired(title, report::limit::name), body);
}

} // namespace similarity

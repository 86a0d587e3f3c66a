#include "verdicts.h"

#include "report/console.h"
#include "report/formats.h"

#include <algorithm>
#include <fmt/format.h>

namespace hostile {
namespace {

using model::Judgement;
using model::TestResult;
using model::Verdict;

constexpr std::string_view marked_test = "four ids pick four rows";

bool passed(const TestResult& test) {
    return test.verdict == Verdict::accepted;
}

/// What the learner reads first.
std::string first_words(const Judgement& judgement) {
    if (!judgement.compile.ok) {
        for (const model::Diagnostic& diagnostic : judgement.compile.diagnostics)
            if (diagnostic.severity == model::Severity::error)
                return diagnostic.explanation + " | " + diagnostic.message;
        return "no message at all";
    }
    const auto failing = std::ranges::find_if_not(judgement.tests, passed);
    return failing == judgement.tests.end() ? "" : failing->message;
}

std::string first_failing(const Judgement& judgement) {
    const auto failing = std::ranges::find_if_not(judgement.tests, passed);
    return failing == judgement.tests.end() ? "" : failing->name;
}

void check_tests(const Row& row, const Judgement& judgement, std::vector<std::string>& found) {
    const auto failing = judgement.tests.size() - std::ranges::count_if(judgement.tests, passed);
    const std::string first = first_failing(judgement);
    const std::string list = fmt::format("{} of {} tests failed, first \"{}\": {}", failing,
                                         judgement.tests.size(), first, first_words(judgement));
    switch (row.fails) {
    case Fails::nothing:
        if (failing != 0) found.push_back(list);
        break;
    case Fails::marked:
        if (failing != 1 || first != marked_test) found.push_back(list);
        break;
    case Fails::first_named:
        if (first != row.first) found.push_back(list);
        break;
    case Fails::everything:
        if (failing != judgement.tests.size()) found.push_back(list);
        break;
    }
}

/// What a terminal or an editor would obey.
std::vector<std::string> dangerous(std::string_view text) {
    std::vector<std::string> found;
    if (text.find('\x1b') != text.npos) found.emplace_back("an escape character");
    for (const char* mark : {"\u202a", "\u202b", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069"})
        if (text.find(mark) != text.npos) found.emplace_back("a change of direction");
    return found;
}

} // namespace

std::vector<std::string> held_against(const Row& row, const Judgement& judgement) {
    std::vector<std::string> found;
    if (judgement.verdict != row.verdict && judgement.verdict != row.terms.or_else)
        found.push_back(fmt::format("verdict {}, expected {}: {}", name(judgement.verdict), name(row.verdict),
                                    first_words(judgement)));
    if (first_words(judgement).find(row.says) == std::string::npos)
        found.push_back(fmt::format("\"{}\" does not say \"{}\"", first_words(judgement), row.says));
    if (judgement.compile.ok)
        check_tests(row, judgement, found);
    else if (judgement.points != 0 ||
             !std::ranges::all_of(judgement.tests, [](const model::TestResult& test) {
                 return test.verdict == Verdict::skipped;
             }))
        found.emplace_back("points, or a test that ran, without a program");
    for (const TestResult& test : judgement.tests)
        if (test.output.find("BREACH") != std::string::npos) found.push_back(test.output.substr(0, 200));
    for (const model::Diagnostic& diagnostic : judgement.compile.diagnostics)
        if (diagnostic.message.find("BREACH") != std::string::npos) found.push_back(diagnostic.message);
    return found;
}

std::vector<std::string> leaks(const Judgement& judgement, const std::string& secret) {
    std::vector<std::string> found;
    const auto look = [&](std::string_view format, const std::string& text) {
        for (const std::string& what : dangerous(text))
            found.push_back(fmt::format("{} report: {}", format, what));
        // The one format that a workflow runner reads as it comes.
        if (format == "github" && ("\n" + text).find("\n::set-env") != std::string::npos)
            found.emplace_back("github report: a workflow command");
        if (text.find(secret) != std::string::npos)
            found.push_back(fmt::format("{} report: the secret", format));
    };
    for (const report::Format& format : report::formats())
        look(format.name, format.render(judgement));
    look("console", report::render_console(judgement, {.verbose = true}));
    return found;
}

bool inflated(const Row& row, const Judgement& judgement) {
    if (row.verdict == Verdict::accepted) return false;
    double least = judgement.max_points; // what a test is worth at least
    for (const model::TestResult& test : judgement.tests)
        least = std::min(least, test.max_points);
    const double full =
        row.fails == Fails::marked || row.fails == Fails::first_named ? judgement.max_points - least : 0;
    return judgement.verdict == Verdict::accepted || judgement.points > full;
}

} // namespace hostile

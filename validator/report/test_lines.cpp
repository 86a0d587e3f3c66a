#include "report/test_lines.h"

#include "report/words.h"

#include <algorithm>
#include <fmt/format.h>

namespace report {
namespace {

using model::TestResult;
using model::Verdict;

/// So many failing tests are named: what is explained shall stay on the screen.
constexpr std::size_t max_named = 3;

/// Tests that one line speaks of.
struct Group {
    std::size_t tests = 0;
    std::size_t hidden = 0;
    double points = 0;
    double max_points = 0;
};

Group group_of(const std::vector<TestResult>& tests, Verdict verdict) {
    Group group;
    for (const TestResult& test : tests) {
        if (test.verdict != verdict) continue;
        ++group.tests;
        if (test.visibility == model::Visibility::hidden) ++group.hidden;
        group.points += test.points;
        group.max_points += test.max_points;
    }
    return group;
}

void line(Page& page, Verdict verdict, const std::string& words, const std::string& points,
          double max_points) {
    if (page.plain())
        page.sentence(fmt::format("{}: {} of {} points.", words, points, number(max_points)), Tone::plain, 2,
                      2);
    else
        page.row(mark_of(page, verdict), tone_of(verdict), words,
                 fmt::format("{}/{}", points, number(max_points)));
}

void group_line(Page& page, const std::vector<TestResult>& tests, Verdict verdict, std::string_view words) {
    const Group group = group_of(tests, verdict);
    if (group.tests == 0) return;
    const std::string hidden = group.hidden == 0 ? ""
                               : group.hidden == group.tests
                                   ? ", hidden"
                                   : fmt::format(", {} of them hidden", group.hidden);
    const std::string points = verdict == Verdict::skipped ? "-" : number(group.points);
    line(page, verdict, fmt::format("{} {}{}", count(group.tests, "test"), words, hidden), points,
         group.max_points);
}

/// What stands after the name: why it has no points, and that it is hidden.
std::string remark(const TestResult& test, bool with_subject) {
    const bool hidden = test.visibility == model::Visibility::hidden;
    std::string words;
    if (test.verdict != Verdict::accepted) words = model::words(test.verdict);
    if (hidden) words = words.empty() ? "hidden" : "hidden, " + words;
    if (const std::string subject = with_subject ? subject_of(test) : ""; !subject.empty())
        words += (words.empty() ? "" : "; ") + subject;
    return words.empty() ? "" : " (" + words + ")";
}

/// In full with what the test is about and how long it took.
void test_line(Page& page, const TestResult& test, bool with_duration) {
    std::string words = test.name + remark(test, with_duration);
    std::string points = test.verdict == Verdict::skipped ? "-" : number(test.points);
    if (with_duration && page.plain())
        words += ", " + duration(test.duration);
    else if (with_duration)
        points = fmt::format("{:>8}  {}", duration(test.duration), points);
    line(page, test.verdict, words, points, test.max_points);
}

} // namespace

Tone tone_of(Verdict verdict) {
    switch (verdict) {
    case Verdict::accepted: return Tone::good;
    case Verdict::skipped: return Tone::plain;
    case Verdict::judge_error:
    case Verdict::not_implemented: return Tone::strong;
    default: return Tone::bad;
    }
}

std::string_view mark_of(const Page& page, Verdict verdict) {
    if (page.plain()) return "";
    switch (verdict) {
    case Verdict::accepted: return page.glyph("✓", "+");
    case Verdict::skipped: return page.glyph("·", ".");
    case Verdict::judge_error: return "!";
    case Verdict::not_implemented: return page.glyph("○", "o");
    default: return page.glyph("✗", "x");
    }
}

void test_lines(Page& page, const model::Judgement& judgement, bool every) {
    if (judgement.tests.empty()) return;
    if (const std::string words = nothing_ran(judgement); !words.empty()) {
        if (judgement.compile.ok) page.sentence(words, Tone::plain, 2); // else it is said already
        if (!every) return;
    }
    if (every) {
        for (const bool failing : {false, true})
            for (const TestResult& test : judgement.tests)
                if (failed(test) == failing) test_line(page, test, true);
        return;
    }
    group_line(page, judgement.tests, Verdict::accepted, "passed");
    group_line(page, judgement.tests, Verdict::skipped, "did not run");
    group_line(page, judgement.tests, Verdict::not_implemented, "not implemented yet");
    std::vector<const TestResult*> named;
    for (const TestResult& test : judgement.tests)
        if (failed(test) && test.verdict != Verdict::not_implemented) named.push_back(&test);
    const std::size_t shown = std::min(named.size(), max_named);
    for (std::size_t i = 0; i < shown; ++i)
        test_line(page, *named[i], false);
    if (shown < named.size())
        page.sentence(fmt::format("and {} that {}", count(named.size() - shown, "more test"),
                                  named.size() - shown == 1 ? "fails" : "fail"),
                      Tone::plain, page.plain() ? 2 : 4);
}

} // namespace report

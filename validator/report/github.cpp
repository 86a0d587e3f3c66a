#include "report/github.h"

#include "report/details.h"
#include "report/disclosure.h"
#include "report/escape.h"
#include "report/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace report {
namespace {

using model::Judgement;
using model::Severity;

/// GitHub shows no more in a step (actions/toolkit, issue 734).
constexpr std::size_t max_annotations = 10;

/// What is said of all tests comes before what is said of one.
constexpr double all_points = std::numeric_limits<double>::infinity();

struct Annotation {
    Severity severity = Severity::error;
    std::string file{};
    int line = 0;
    int column = 0;
    std::string title{};
    std::string message{};
    double points = all_points; ///< that the test is worth
};

/// Compilers and sanitizers name the file alone; GitHub wants its path from the repository's root.
std::string path_of(const std::string& file, const Judgement& judgement) {
    return file.empty() || judgement.file.ends_with("/" + file) ? judgement.file : file;
}

Annotation verdict_annotation(const Judgement& judgement) {
    const bool accepted = judgement.verdict == model::Verdict::accepted;
    return {.severity = accepted ? Severity::note : Severity::error,
            .file = judgement.file,
            .title = fmt::format("{}: {}", judgement.problem_id, headline(judgement)),
            .message = judgement.summary +
                       (judgement.justification ? "\n" + sentence(*judgement.justification) : "") +
                       (judgement.next.empty() ? "" : "\n" + judgement.next)};
}

Annotation annotation(const model::Diagnostic& diagnostic, const Judgement& judgement) {
    const std::string& plain = diagnostic.explanation;
    return {.severity = diagnostic.severity,
            .file = path_of(diagnostic.file, judgement),
            .line = diagnostic.line,
            .column = diagnostic.column,
            .title = "compiler " + std::string(name(diagnostic.severity)),
            .message = plain + (plain.empty() ? "" : "\n") + diagnostic.message};
}

double points_of_test(const std::string& name, const Judgement& judgement) {
    const auto test = std::ranges::find(judgement.tests, name, &model::TestResult::name);
    return test == judgement.tests.end() ? all_points : test->max_points;
}

Annotation annotation(const model::SanitizerFinding& finding, const Judgement& judgement) {
    const std::string_view plain = finding_words(finding);
    return {.severity = Severity::error,
            .file = path_of(finding.file, judgement),
            .line = finding.line,
            .title = std::string(check_name(finding)) + ": " + kind_name(finding),
            .message = plain.empty() ? kind_name(finding) : std::string(plain),
            .points = points_of_test(finding.test, judgement)};
}

Annotation annotation(const model::TestResult& test, const Judgement& judgement) {
    std::string message = test.message;
    const auto add = [&message](const std::string& line) { message += (message.empty() ? "" : "\n") + line; };
    if (test.mismatch) add(sentence(*test.mismatch));
    if (!test.hint.empty()) add("Hint: " + test.hint);
    if (message.empty()) add(std::string(model::words(test.verdict)));
    return {.severity = Severity::error,
            .file = test.place ? path_of(test.place->file, judgement) : judgement.file,
            .line = test.place ? test.place->line : 0,
            .title = fmt::format("{}: {}", test.name, model::words(test.verdict)),
            .message = message,
            .points = test.max_points};
}

/// Most telling first, then by points, because not all are shown.
std::vector<Annotation> annotations(const Judgement& judgement) {
    std::vector<Annotation> list{verdict_annotation(judgement)};
    for (const model::Diagnosis& diagnosis : judgement.diagnosis)
        list.push_back({.file = judgement.file,
                        .title = diagnosis.certain ? "it looks like" : "part of it looks like",
                        .message = diagnosis.says + (diagnosis.hint.empty() ? "" : "\n" + diagnosis.hint)});
    for (const model::FailingCalls& calls : judgement.failing_calls)
        list.push_back(
            {.file = judgement.file, .title = "what failing calls share", .message = sentence(calls)});
    for (const auto& diagnostic : judgement.compile.diagnostics)
        list.push_back(annotation(diagnostic, judgement));
    for (const auto& finding : judgement.sanitizer.findings)
        list.push_back(annotation(finding, judgement));
    for (const auto& test : judgement.tests)
        if (failed(test)) list.push_back(annotation(test, judgement));
    std::ranges::stable_sort(list, std::ranges::greater{}, &Annotation::points);
    return list;
}

std::string command(const Annotation& annotation) {
    constexpr std::array<std::string_view, 3> commands{"error", "warning", "notice"};
    std::string out = fmt::format("::{} ", commands.at(static_cast<std::size_t>(annotation.severity)));
    if (!annotation.file.empty())
        out += fmt::format("file={},", command_property(annotation.file, limit::name));
    if (!annotation.file.empty() && annotation.line > 0) out += fmt::format("line={},", annotation.line);
    if (!annotation.file.empty() && annotation.line > 0 && annotation.column > 0)
        out += fmt::format("col={},", annotation.column);
    return out + fmt::format("title={}::{}\n", command_property(annotation.title, limit::name),
                             command_data(annotation.message, limit::message));
}

std::string group(std::string_view title, std::string_view text) {
    return fmt::format("::group::{}\n{}::endgroup::\n", command_data(title, limit::name, Lines::show),
                       command_quote(text, limit::output));
}

/// At most as many as are shown; the last one counts the rest.
std::vector<Annotation> bounded(std::vector<Annotation> list, const Judgement& judgement) {
    if (list.size() <= max_annotations) return list;
    const std::size_t left_out = list.size() - (max_annotations - 1);
    list.resize(max_annotations - 1);
    list.push_back({.severity = Severity::note,
                    .file = judgement.file,
                    .title = count(left_out, "more message"),
                    .message = "GitHub shows 10 in a step; the log of this step has all tests."});
    return list;
}

/// Every test in a line; of one that fails also its hint, since its annotation may be left out.
std::string list_of_tests(const Judgement& judgement) {
    std::string text;
    for (const model::TestResult& test : judgement.tests) {
        std::string line = fmt::format("{}: {}, {} of {} points, {}{}", test.name, model::words(test.verdict),
                                       number(test.points), number(test.max_points), duration(test.duration),
                                       test.visibility == model::Visibility::hidden ? ", hidden" : "");
        if (const std::string subject = subject_of(test); !subject.empty()) line += ", " + subject;
        text += one_line(line) + "\n";
        if (!test.hint.empty()) text += one_line("  Hint: " + test.hint) + "\n";
    }
    return text;
}

} // namespace

std::string render_github(const Judgement& judgement) {
    const Judgement shown = disclosed(judgement);
    std::string out;
    for (const Annotation& each : bounded(annotations(shown), shown))
        out += command(each);
    out += group("tests", list_of_tests(shown));
    for (const model::TestResult& test : shown.tests)
        if (failed(test) && !test.output.empty()) out += group("printed during: " + test.name, test.output);
    for (const model::SanitizerFinding& finding : shown.sanitizer.findings)
        if (!finding.text.empty())
            out += group(std::string(check_name(finding)) + ": " + kind_name(finding), finding.text);
    for (const Detail& detail : details(shown))
        out += group(detail.title, detail.text);
    out += fmt::format("{}, isolation {}, seed {}\n", thoroughness(shown), name(shown.isolation.level),
                       shown.seed);
    return out;
}

} // namespace report

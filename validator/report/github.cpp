#include "report/github.h"

#include "report/disclosure.h"
#include "report/escape.h"
#include "report/words.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace report {
namespace {

using model::Judgement;
using model::Severity;

/// GitHub drops further ones without a word (actions/toolkit, issue 734).
constexpr std::size_t max_annotations = 10;

struct Annotation {
    Severity severity = Severity::error;
    std::string file{};
    int line = 0;
    int column = 0;
    std::string title{};
    std::string message{};
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

Annotation annotation(const model::SanitizerFinding& finding, const Judgement& judgement) {
    const std::string_view plain = finding_words(finding);
    return {.severity = Severity::error,
            .file = path_of(finding.file, judgement),
            .line = finding.line,
            .title = std::string(check_name(finding)) + ": " + kind_name(finding),
            .message = plain.empty() ? kind_name(finding) : std::string(plain)};
}

Annotation annotation(const model::TestResult& test, const Judgement& judgement) {
    std::string message = test.message;
    const auto add = [&message](const std::string& line) { message += (message.empty() ? "" : "\n") + line; };
    if (test.mismatch) add(sentence(*test.mismatch));
    if (!test.hint.empty()) add("Hint: " + test.hint);
    if (message.empty()) add(std::string(model::words(test.verdict)));
    return {.severity = Severity::error,
            .file = judgement.file,
            .title = fmt::format("{}: {}", test.name, model::words(test.verdict)),
            .message = message};
}

/// Most telling first, because GitHub may not show the last.
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

} // namespace

std::string render_github(const Judgement& judgement) {
    const Judgement shown = disclosed(judgement);
    std::string out;
    std::array<std::size_t, 3> written{};
    std::size_t left_out = 0;
    for (const Annotation& each : annotations(shown)) {
        std::size_t& number = written.at(static_cast<std::size_t>(each.severity));
        if (number == max_annotations) {
            ++left_out;
            continue;
        }
        ++number;
        out += command(each);
    }
    for (const model::TestResult& test : shown.tests)
        if (failed(test) && !test.output.empty()) out += group("printed during: " + test.name, test.output);
    for (const model::SanitizerFinding& finding : shown.sanitizer.findings)
        if (!finding.text.empty())
            out += group(std::string(check_name(finding)) + ": " + kind_name(finding), finding.text);
    if (left_out > 0)
        out += count(left_out, "more annotation") + " left out: GitHub shows 10 of a kind in one step.\n";
    out += fmt::format("{}, isolation {}, seed {}\n", shown.graded ? "graded" : "practice run",
                       name(shown.isolation.level), shown.seed);
    return out;
}

} // namespace report

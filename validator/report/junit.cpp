#include "report/junit.h"

#include "report/details.h"
#include "report/disclosure.h"
#include "report/escape.h"
#include "report/words.h"

#include <fmt/format.h>

#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

namespace report {
namespace {

using model::Judgement;
using model::Verdict;

enum class Result { passed, failure, error, skipped };

struct Case {
    std::string name{};
    std::string classname{};
    double seconds = 0;
    Result result = Result::passed;
    std::string type{};    ///< of the failure
    std::string message{}; ///< its first line
    std::string text{};    ///< all of it
    std::string output{};
    const model::TestResult* test = nullptr; ///< null: a case of the engine's own
};

double seconds(std::chrono::microseconds time) {
    return static_cast<double>(time.count()) / 1e6;
}

/// Tests that did not run because something broke are errors: CI takes a suite of skipped cases for a
/// success.
Result result_of(Verdict test, Verdict whole) {
    switch (test) {
    case Verdict::accepted: return Result::passed;
    case Verdict::wrong_answer:
    case Verdict::not_implemented: return Result::failure;
    case Verdict::skipped:
        return whole == Verdict::compile_error || whole == Verdict::judge_error ? Result::error
                                                                                : Result::skipped;
    default: return Result::error;
    }
}

std::string first_line(std::string_view text) {
    return std::string(text.substr(0, text.find('\n')));
}

Case test_case(const model::TestResult& test, const Judgement& judgement) {
    Case row{.name = test.name, .classname = judgement.problem_id, .seconds = seconds(test.duration)};
    row.result = result_of(test.verdict, judgement.verdict);
    row.output = test.output;
    row.test = &test;
    if (row.result == Result::passed) return row;
    row.type = test.verdict == Verdict::skipped ? "not-run" : model::name(test.verdict);
    const std::string plain(test.verdict == Verdict::skipped ? "did not run" : model::words(test.verdict));
    row.text = test.message;
    if (test.mismatch) row.text += (row.text.empty() ? "" : "\n") + sentence(*test.mismatch);
    if (!test.hint.empty()) row.text += (row.text.empty() ? "" : "\n") + ("Hint: " + test.hint);
    row.message = row.text.empty() ? plain : first_line(row.text);
    return row;
}

Case build_case(const Judgement& judgement) {
    Case row{.name = "build", .classname = judgement.problem_id + ".engine"};
    row.seconds = seconds(judgement.timing.compile + judgement.timing.link);
    if (judgement.compile.ok) return row;
    row.result = Result::error;
    row.type = model::name(Verdict::compile_error);
    row.message = "does not compile";
    for (const model::Diagnostic& diagnostic : judgement.compile.diagnostics) {
        const std::string where = place(diagnostic.file, diagnostic.line, diagnostic.column);
        row.text += fmt::format("{}{}{}: {}\n", where, where.empty() ? "" : ": ", name(diagnostic.severity),
                                diagnostic.message);
        if (!diagnostic.explanation.empty()) row.text += "  " + diagnostic.explanation + "\n";
        if (!diagnostic.source.empty()) row.text += diagnostic.source + "\n";
    }
    return row;
}

Case sanitizer_case(const Judgement& judgement) {
    Case row{.name = "memory checks", .classname = judgement.problem_id + ".engine"};
    if (judgement.sanitizer.findings.empty()) return row;
    row.result = Result::error;
    row.type = model::name(Verdict::run_time_error);
    for (const model::SanitizerFinding& finding : judgement.sanitizer.findings) {
        row.text += fmt::format("{}: {} {}\n", place(finding.file, finding.line, 0), kind_name(finding),
                                finding_words(finding));
        if (!finding.text.empty()) row.text += finding.text + "\n";
    }
    row.message = first_line(row.text);
    return row;
}

std::size_t how_many(const std::vector<Case>& cases, Result result) {
    std::size_t number = 0;
    for (const Case& each : cases)
        number += each.result == result ? 1 : 0;
    return number;
}

std::vector<Case> cases_of(const Judgement& judgement) {
    std::vector<Case> cases{build_case(judgement)};
    for (const model::TestResult& test : judgement.tests)
        cases.push_back(test_case(test, judgement));
    if (judgement.sanitizer.ran) cases.push_back(sanitizer_case(judgement));
    const bool red = how_many(cases, Result::failure) + how_many(cases, Result::error) > 0;
    if (judgement.verdict != Verdict::accepted && !red)
        cases.push_back({.name = "judgement",
                         .classname = judgement.problem_id + ".engine",
                         .result = Result::error,
                         .type = std::string(model::name(judgement.verdict)),
                         .message = judgement.summary,
                         .text = judgement.summary});
    return cases;
}

std::string attribute(std::string_view name, std::string_view value, std::size_t limit = limit::name) {
    return fmt::format(" {}=\"{}\"", name, xml(value, limit, Lines::show));
}

std::string property(std::string_view name, std::string_view value) {
    return fmt::format("<property{}{}/>\n", attribute("name", name),
                       attribute("value", value, limit::sentence));
}

/// What other readers of JUnit have no attribute for.
std::string properties(const model::TestResult& test) {
    constexpr std::string_view indent = "        ";
    std::string out = "      <properties>\n";
    for (const auto& [name, value] : std::initializer_list<std::pair<std::string_view, std::string>>{
             {"points", number(test.points)},
             {"max_points", number(test.max_points)},
             {"visibility", test.visibility == model::Visibility::hidden ? "hidden" : "visible"},
             {"concept", test.concept_name}})
        if (!value.empty()) out.append(indent) += property(name, value);
    return out + "      </properties>\n";
}

std::string element(const Case& row) {
    std::string out = fmt::format("    <testcase{}{} time=\"{:.6f}\"", attribute("name", row.name),
                                  attribute("classname", row.classname), row.seconds);
    if (row.test != nullptr && row.test->place)
        out += attribute("file", row.test->place->file) + fmt::format(" line=\"{}\"", row.test->place->line);
    if (row.test == nullptr && row.result == Result::passed) return out + "/>\n";
    out += ">\n";
    if (row.test != nullptr) out += properties(*row.test);
    if (row.result == Result::skipped)
        out += fmt::format("      <skipped{}/>\n", attribute("message", row.message));
    if (row.result == Result::failure || row.result == Result::error) {
        const std::string_view tag = row.result == Result::failure ? "failure" : "error";
        out += fmt::format("      <{}{}{}>{}</{}>\n", tag, attribute("message", row.message, limit::sentence),
                           attribute("type", row.type), xml(row.text, limit::message, Lines::keep), tag);
    }
    if (!row.output.empty())
        out +=
            fmt::format("      <system-out>{}</system-out>\n", xml(row.output, limit::output, Lines::keep));
    return out + "    </testcase>\n";
}

std::string properties(const Judgement& judgement) {
    const auto line = [](std::string_view name, std::string_view value) {
        return "      " + property(name, value);
    };
    return "    <properties>\n" + line("engine", judgement.engine_version) +
           line("verdict", model::name(judgement.verdict)) + line("points", number(judgement.points)) +
           line("max_points", number(judgement.max_points)) +
           line("graded", judgement.graded ? "true" : "false") + line("depth", depth(judgement)) +
           line("stage", name(judgement.stage)) + line("collection", judgement.collection.title) +
           line("collection_hash", judgement.collection.hash) +
           line("problem_version", judgement.problem_version) +
           line("submission_hash", judgement.submission_hash) + line("seed", std::to_string(judgement.seed)) +
           line("isolation", name(judgement.isolation.level)) + line("device", judgement.device) +
           line("compiler", judgement.toolchain.compiler) + line("flags", judgement.toolchain.flags) +
           (judgement.justification ? line("questions", sentence(*judgement.justification)) : "") +
           "    </properties>\n";
}

/// What is said of the run as a whole; a reader shows it next to the suite.
std::string output_of_suite(const Judgement& judgement) {
    std::string text = judgement.summary + "\n" + judgement.next + "\n";
    for (const model::FailingCalls& calls : judgement.failing_calls)
        text += sentence(calls) + "\n";
    std::string out = fmt::format("    <system-out>{}", xml(text, limit::message, Lines::keep));
    for (const Detail& detail : details(judgement))
        out += fmt::format("\n{}\n{}", detail.title, xml(detail.text, limit::output, Lines::keep));
    return out + "</system-out>\n";
}

/// Readers want local date and time without a zone: ours is UTC.
std::string timestamp(std::string started) {
    if (started.ends_with('Z')) started.pop_back();
    return started.empty() ? "" : attribute("timestamp", started);
}

} // namespace

std::string render_junit(const Judgement& judgement) {
    const Judgement shown = disclosed(judgement);
    const std::vector<Case> cases = cases_of(shown);
    const std::string totals =
        fmt::format(" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.6f}\"{}",
                    cases.size(), how_many(cases, Result::failure), how_many(cases, Result::error),
                    how_many(cases, Result::skipped), seconds(shown.timing.total), timestamp(shown.started));

    std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    out += fmt::format("<testsuites name=\"engine\"{}>\n", totals);
    out += fmt::format("  <testsuite{}{}{}>\n", attribute("name", shown.problem_id), totals,
                       shown.file.empty() ? "" : attribute("file", shown.file));
    out += properties(shown);
    for (const Case& row : cases)
        out += element(row);
    return out + output_of_suite(shown) + "  </testsuite>\n</testsuites>\n";
}

} // namespace report

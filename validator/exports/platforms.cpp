#include "exports/platforms.h"

#include "report/escape.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace exports {
namespace {

using coursework::Outcome;
using coursework::TestOutcome;
using gradebook::Grade;
using gradebook::ProblemGrade;
using model::Verdict;
using Json = nlohmann::ordered_json;

std::string sentence_of(const std::string& text) {
    return report::repaired(text, report::limit::sentence);
}

std::string message_of(const TestOutcome& test) {
    std::string text = report::repaired(test.message, report::limit::message);
    if (!test.hint.empty()) text += (text.empty() ? "" : "\n") + sentence_of(test.hint);
    return text;
}

/// Readable and pure ASCII, so that no reader guesses an encoding.
std::string printed(const Json& json) {
    return json.dump(1, ' ', true, Json::error_handler_t::replace) + "\n";
}

/// The tests of a problem, with the points that each makes up of 100: its part of the problem's, without
/// questions and lateness.
template <class Visit>
void each_test(const GradedClass& graded, const Grade& grade, Visit visit) {
    for (std::size_t i = 0; i < grade.problems.size(); ++i) {
        const ProblemGrade& problem = grade.problems[i];
        if (problem.judged == nullptr) continue;
        const Outcome outcome = graded.outcome(*problem.work->judgement);
        const double whole = 100 * weight_of(graded, i) * (1 - graded.assignment.questions_percent / 100);
        for (const TestOutcome& test : outcome.tests) {
            const double scale = outcome.max_points > 0 ? whole / outcome.max_points : 0;
            visit(problem, test, test.points * scale, test.max_points * scale);
        }
    }
}

std::string status_of(const ProblemGrade& grade) {
    if (!grade.share) return grade.problem + ": not graded yet";
    std::string text = fmt::format("{}: {:.1f} %", grade.problem, 100 * *grade.share);
    if (grade.change != nullptr) return text + ", set by hand: " + sentence_of(grade.change->why);
    if (grade.work == nullptr) return text + ", nothing handed in";
    if (grade.work->state == gradebook::State::starter) return text + ", the starter is unchanged";
    if (grade.late_factor < 1)
        text += fmt::format(", of which lateness left {:.0f} %", 100 * grade.late_factor);
    return text;
}

std::string overview(const Grade& grade) {
    std::string text;
    for (const ProblemGrade& problem : grade.problems)
        text += status_of(problem) + "\n";
    return text;
}

Json gradescope_of(const GradedClass& graded, const Grade& grade) {
    Json tests = Json::array();
    each_test(graded, grade,
              [&](const ProblemGrade& problem, const TestOutcome& test, double score, double max) {
                  tests.push_back({{"score", score},
                                   {"max_score", max},
                                   {"status", test.verdict == Verdict::accepted ? "passed" : "failed"},
                                   {"name", problem.problem + ": " + sentence_of(test.name)},
                                   {"output", message_of(test)},
                                   {"output_format", "text"},
                                   {"visibility", "visible"}});
              });
    return {{"score", grade.percent},
            {"output", overview(grade)},
            {"output_format", "text"},
            {"visibility", "visible"},
            {"tests", tests}};
}

/// Whole numbers of at most `hundred_per_cent`.
long whole(double points) {
    return std::lround(points * 100);
}

Json classroom50_of(const GradedClass& graded, const Grade& grade) {
    Json tests = Json::array();
    each_test(graded, grade,
              [&](const ProblemGrade& problem, const TestOutcome& test, double score, double max) {
                  tests.push_back({{"test-name", problem.problem + ": " + sentence_of(test.name)},
                                   {"passed", test.verdict == Verdict::accepted},
                                   {"score", whole(score)},
                                   {"max-score", whole(max)}});
              });
    return {{"schema", "classroom50/result/v1"}, {"assignment", sentence_of(graded.assignment.title)},
            {"assignment_type", "individual"},   {"owner", sentence_of(grade.student->id)},
            {"graded_at", graded.made},          {"score", whole(grade.percent)},
            {"max-score", whole(100)},           {"tests", tests}};
}

std::string_view exercism_status(Verdict verdict) {
    if (verdict == Verdict::accepted) return "pass";
    return verdict == Verdict::wrong_answer ? "fail" : "error";
}

Json exercism_of(const Outcome& outcome) {
    Json tests = Json::array();
    for (const TestOutcome& test : outcome.tests)
        tests.push_back(
            {{"name", sentence_of(test.name)},
             {"status", exercism_status(test.verdict)},
             {"message", test.verdict == Verdict::accepted ? Json(nullptr) : Json(message_of(test))},
             {"test_code", ""}});
    const bool ran = outcome.verdict != Verdict::compile_error && outcome.verdict != Verdict::not_implemented;
    const bool passed = outcome.verdict == Verdict::accepted;
    std::string message = sentence_of(outcome.summary);
    for (const coursework::CompilerMessage& said : outcome.compiler_messages)
        message += fmt::format("\n{}:{}: {}", sentence_of(said.file), said.line, sentence_of(said.text));
    return {{"version", 3},
            {"status", passed ? "pass"
                       : ran  ? "fail"
                              : "error"},
            {"message", ran ? Json(nullptr) : Json(message)},
            {"tests", tests}};
}

Json sarif_location(const std::string& problem, const std::string& file, int line, int column) {
    Json region{{"startLine", line}};
    if (column > 0) region["startColumn"] = column;
    return {{{"physicalLocation",
              {{"artifactLocation", {{"uri", problem + "/" + sentence_of(file)}}}, {"region", region}}}}};
}

void add_sarif_results(Json& results, const Outcome& outcome) {
    for (const coursework::CompilerMessage& said : outcome.compiler_messages) {
        Json result{{"ruleId", "compiler"},
                    {"level", said.error ? "error" : "warning"},
                    {"message", {{"text", sentence_of(said.text)}}}};
        if (said.line > 0 && !said.file.empty())
            result["locations"] = sarif_location(outcome.problem, said.file, said.line, said.column);
        results.push_back(result);
    }
    for (const TestOutcome& test : outcome.tests) {
        if (test.verdict == Verdict::accepted || test.verdict == Verdict::skipped) continue;
        const std::string message = message_of(test);
        Json result{
            {"ruleId", model::name(test.verdict)},
            {"level", "error"},
            {"message", {{"text", sentence_of(test.name) + (message.empty() ? "" : ": " + message)}}}};
        if (test.line > 0) result["locations"] = sarif_location(outcome.problem, test.file, test.line, 0);
        results.push_back(result);
    }
}

Json sarif_of(const GradedClass& graded, const Grade& grade) {
    Json results = Json::array();
    std::string version;
    for (const ProblemGrade& problem : grade.problems) {
        if (problem.judged == nullptr) continue;
        const Outcome outcome = graded.outcome(*problem.work->judgement);
        version = outcome.engine;
        add_sarif_results(results, outcome);
    }
    return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
            {"version", "2.1.0"},
            {"runs",
             {{{"tool", {{"driver", {{"name", "engine"}, {"version", version}}}}}, {"results", results}}}}};
}

} // namespace

std::vector<File> render_gradescope(const GradedClass& graded) {
    std::vector<File> files;
    for (const Grade& grade : graded.grades)
        files.push_back(
            {file_name_of(grade.student->id) + "/results.json", printed(gradescope_of(graded, grade))});
    return files;
}

std::vector<File> render_classroom50(const GradedClass& graded) {
    std::vector<File> files;
    for (const Grade& grade : graded.grades)
        files.push_back(
            {file_name_of(grade.student->id) + "/result.json", printed(classroom50_of(graded, grade))});
    return files;
}

std::vector<File> render_exercism(const GradedClass& graded) {
    std::vector<File> files;
    for (const Grade& grade : graded.grades)
        for (const ProblemGrade& problem : grade.problems)
            if (problem.judged != nullptr)
                files.push_back({file_name_of(grade.student->id) + "/" + problem.problem + "/results.json",
                                 printed(exercism_of(graded.outcome(*problem.work->judgement)))});
    return files;
}

std::vector<File> render_sarif(const GradedClass& graded) {
    std::vector<File> files;
    for (const Grade& grade : graded.grades)
        files.push_back({file_name_of(grade.student->id) + ".sarif", printed(sarif_of(graded, grade))});
    return files;
}

} // namespace exports

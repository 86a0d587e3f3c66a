#include "app/verify/completeness.h"

#include "app/verify/bank.h"

#include "catalogue/mistakes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <sstream>

namespace verify {
namespace {

constexpr std::size_t least_mistakes = 10;
constexpr std::size_t least_accepted = 4;
constexpr std::size_t least_questions = 6;
constexpr std::size_t least_kinds = 3;
constexpr double points_of_a_problem = 20;

constexpr std::array sections{"Your task", "Worked example", "Why it matters", "Background",
                              "Shapes",    "Pitfalls",       "Testing tips",   "What comes next"};

/// Where the heading stands in the statement, or npos.
std::size_t find_section(const std::string& statement, const std::string& title) {
    const std::string heading = "\n## " + title;
    for (std::size_t at = statement.find(heading); at != std::string::npos;
         at = statement.find(heading, at + 1)) {
        const std::size_t end = at + heading.size();
        if (end == statement.size() || statement[end] == '\n' || statement[end] == '\r') return at;
    }
    return std::string::npos;
}

/// A whole file is for what no diff would make shorter.
void check_mistakes(const std::string& folder, const model::Problem& problem,
                    std::vector<std::string>& gaps) {
    if (problem.mistakes.size() < least_mistakes)
        gaps.push_back(fmt::format("{}: {} mistake{}, at least {} are needed", folder,
                                   problem.mistakes.size(), problem.mistakes.size() == 1 ? "" : "s",
                                   least_mistakes));
    for (const model::Mistake& mistake : problem.mistakes) {
        if (!mistake.base.empty() || mistake.program.empty()) continue;
        const catalogue::Nearest nearest = catalogue::nearest_base(problem, mistake.program, mistake.name);
        if (nearest.shared >= catalogue::least_shared)
            gaps.push_back(
                fmt::format("{0}{1}: {2:.0f} % of its lines are those of {3}: store the difference "
                            "with the command mistake {4} {5} --from {0}{1}",
                            folder, mistake.file.filename().string(), 100 * nearest.shared, nearest.base.name,
                            problem.id, mistake.name));
    }
}

void check_statement(const std::string& file, const std::string& statement, std::vector<std::string>& gaps) {
    std::size_t last = 0;
    for (const char* title : sections) {
        const std::size_t at = find_section(statement, title);
        if (at == std::string::npos)
            gaps.push_back(fmt::format("{}: the section '## {}' is missing", file, title));
        else if (at < last)
            gaps.push_back(fmt::format("{}: the section '## {}' comes too late", file, title));
        else
            last = at;
    }
}

void check_tests(const std::string& file, const model::Problem& problem, std::vector<std::string>& gaps) {
    double points = 0;
    std::size_t hidden = 0;
    for (const model::TestSpec& test : problem.tests) {
        points += test.points;
        hidden += test.visibility == model::Visibility::hidden ? 1U : 0U;
    }
    if (std::abs(points - points_of_a_problem) > 1e-9)
        gaps.push_back(
            fmt::format("{}: the points sum to {:g}, not {:g}", file, points, points_of_a_problem));
    // About a third: enough that the visible ones cannot be learned by heart, and not most of them.
    const std::size_t tests = problem.tests.size();
    if (4 * hidden < tests || 2 * hidden > tests)
        gaps.push_back(
            fmt::format("{}: {} of {} tests are hidden; about a third should be", file, hidden, tests));
}

/// Whatever costs points stands in what the learner reads first.
void check_traffic(const std::string& file, const model::Problem& problem, std::vector<std::string>& gaps) {
    std::istringstream words(problem.statement);
    std::string text;
    for (std::string word; words >> word;)
        text += word + " ";
    for (const model::TestSpec& test : problem.tests) {
        if (!test.traffic) continue;
        std::vector<std::string> limits;
        if (test.traffic->moved_at_most)
            limits.push_back(fmt::format("{:g} times", *test.traffic->moved_at_most));
        if (test.traffic->coalescing_at_least)
            limits.push_back(fmt::format("{:g} %", 100 * *test.traffic->coalescing_at_least));
        if (test.traffic->bank_conflicts_at_most)
            limits.push_back(fmt::format("{} bank conflicts", *test.traffic->bank_conflicts_at_most));
        for (const std::string& limit : limits)
            if (text.find(" " + limit) == std::string::npos)
                gaps.push_back(
                    fmt::format("{}: the limit of the test '{}' is not told: '{}'", file, test.name, limit));
    }
}

void check_questions(const std::string& file, const model::Problem& problem, std::vector<std::string>& gaps) {
    std::set<model::QuestionKind> kinds;
    for (const model::Question& question : problem.questions)
        kinds.insert(question.kind);
    if (problem.questions.size() < least_questions)
        gaps.push_back(fmt::format("{}: {} questions, at least {} are needed", file, problem.questions.size(),
                                   least_questions));
    if (kinds.size() < least_kinds)
        gaps.push_back(fmt::format("{}: {} kind{} of question, at least {} are needed", file, kinds.size(),
                                   kinds.size() == 1 ? "" : "s", least_kinds));
    if (!kinds.contains(model::QuestionKind::numeric))
        gaps.push_back(fmt::format("{}: no numeric question with a formula", file));
}

} // namespace

std::vector<std::string> missing_parts(const model::Problem& problem) {
    const std::string folder = "problems/" + problem.id + "/";
    std::vector<std::string> gaps;
    check_mistakes(folder + "mistakes/", problem, gaps);
    if (problem.accepted.size() < least_accepted)
        gaps.push_back(fmt::format("{}accepted/: {} accepted variant{}, at least {} are needed", folder,
                                   problem.accepted.size(), problem.accepted.size() == 1 ? "" : "s",
                                   least_accepted));
    check_tests(folder + "problem.json", problem, gaps);
    check_statement(folder + "statement.md", problem.statement, gaps);
    check_traffic(folder + "statement.md", problem, gaps);
    check_questions(folder + "questions.json", problem, gaps);
    for (std::string& gap : bank_gaps(problem))
        gaps.push_back(std::move(gap));
    return gaps;
}

} // namespace verify

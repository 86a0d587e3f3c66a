#include "app/teaching/summary.h"

#include "report/escape.h"
#include "report/words.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace teaching {
namespace {

using gradebook::Grade;
using gradebook::ProblemGrade;
using gradebook::State;

std::string clean(const std::string& text) {
    return report::terminal(text, report::limit::name, report::Lines::show);
}

std::string_view kind_of(const ProblemGrade& grade) {
    if (grade.change != nullptr) return "changed by hand";
    if (grade.work == nullptr) return grade.share ? "missing" : "unclear";
    if (grade.judged != nullptr)
        return grade.judged->verdict == model::Verdict::accepted ? "accepted" : "not accepted";
    return grade.work->state == State::starter ? "untouched" : gradebook::name(grade.work->state);
}

/// "12 accepted, 5 not accepted".
std::string kinds(const std::vector<Grade>& grades, std::size_t problem) {
    std::vector<std::string> parts;
    for (const std::string_view kind : {"accepted", "not accepted", "untouched", "changed by hand", "missing",
                                        "unclear", "unjudged", "waiting"}) {
        const auto count = std::ranges::count_if(
            grades, [&](const Grade& grade) { return kind_of(grade.problems[problem]) == kind; });
        if (count > 0) parts.push_back(fmt::format("{} {}", count, kind));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string distribution(const std::vector<Grade>& grades) {
    std::vector<double> percents;
    for (const Grade& grade : grades)
        if (grade.complete) percents.push_back(grade.percent);
    if (percents.empty()) return {};
    std::ranges::sort(percents);
    return fmt::format("grades from {:.0f} % to {:.0f} %, half of them at least {:.0f} %\n", percents.front(),
                       percents.back(), percents[percents.size() / 2]);
}

/// What has to be looked at, a line each, under a title; nothing where there is none.
std::string listed(const std::string& title, const std::vector<std::string>& lines) {
    constexpr std::size_t max_shown = 50;
    if (lines.empty()) return {};
    std::string text = "\n" + title + "\n";
    for (std::size_t i = 0; i < std::min(lines.size(), max_shown); ++i)
        text += "  " + lines[i] + "\n";
    if (lines.size() > max_shown) text += fmt::format("  and {} more\n", lines.size() - max_shown);
    return text;
}

template <class Wanted>
std::vector<std::string> students_where(const std::vector<Grade>& grades, Wanted wanted) {
    std::vector<std::string> names;
    for (const Grade& grade : grades)
        if (wanted(grade)) names.push_back(clean(grade.student->id));
    return names;
}

std::vector<std::string> notes(const std::vector<Grade>& grades, State state) {
    std::vector<std::string> lines;
    for (const Grade& grade : grades) {
        const std::string student = clean(grade.student->id);
        if (state == State::unclear && grade.trouble != nullptr)
            lines.push_back(fmt::format("{}: {}: {}", student, clean(grade.trouble->source),
                                        clean(grade.trouble->trouble)));
        for (const ProblemGrade& problem : grade.problems)
            if (problem.work != nullptr && problem.work->state == state)
                lines.push_back(
                    fmt::format("{}, {}: {}", student, problem.problem, clean(problem.work->note)));
    }
    return lines;
}

std::vector<std::string> refused_answers(const std::vector<Grade>& grades) {
    std::vector<std::string> lines;
    for (const Grade& grade : grades)
        for (const ProblemGrade& problem : grade.problems)
            if (problem.work != nullptr && !problem.work->refused.empty())
                lines.push_back(fmt::format("{}, {}: {}", clean(grade.student->id), problem.problem,
                                            clean(problem.work->refused)));
    return lines;
}

} // namespace

std::string summary(const gradebook::Book& book, const std::vector<Grade>& grades,
                    const coursework::Assignment& assignment) {
    const std::string title = assignment.title.empty() ? "" : clean(assignment.title) + ": ";
    std::string text = fmt::format("{}{}, {}, {}\n", title, report::count(grades.size(), "student"),
                                   report::count(assignment.problems.size(), "problem"),
                                   report::count(book.attempts.size(), "submission"));
    for (std::size_t i = 0; i < assignment.problems.size(); ++i)
        text += fmt::format("  {}: {}\n", assignment.problems[i].id, kinds(grades, i));
    text += distribution(grades);
    text += listed("A person has to look at these; until then they count neither way:",
                   notes(grades, State::unclear));
    text += listed("These could not be judged, which costs nobody points; the next run tries again:",
                   notes(grades, State::unjudged));
    text += listed("These answers could not be marked:", refused_answers(grades));
    const bool has_list = std::ranges::any_of(book.students, &gradebook::Enrolled::listed);
    if (!has_list) return text;
    text += listed("Not on the class list:",
                   students_where(grades, [](const Grade& grade) { return !grade.student->listed; }));
    text += listed("Handed in nothing:", students_where(grades, [](const Grade& grade) {
                       return grade.trouble == nullptr &&
                              std::ranges::all_of(grade.problems, [](const ProblemGrade& one) {
                                  return one.attempt == nullptr;
                              });
                   }));
    return text;
}

} // namespace teaching

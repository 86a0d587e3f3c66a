#include "app/teaching/comparison.h"

#include "gradebook/grade.h"
#include "report/escape.h"
#include "report/words.h"

#include <algorithm>
#include <fmt/format.h>

namespace teaching {
namespace {

using gradebook::Judged;
using gradebook::ProblemGrade;

std::string safe_name(const std::string& text) {
    return report::terminal(text, report::limit::name, report::Lines::show);
}

std::string_view verdict_in(const Judged& judged, const std::string& test) {
    const auto found = std::ranges::find(judged.tests, test, &gradebook::TestRow::name);
    return found == judged.tests.end() ? "not there" : model::words(found->verdict);
}

/// Tests of either judgement that did not end alike.
std::string test_lines(const Judged& before, const Judged& after) {
    std::vector<std::string> names;
    for (const Judged* judged : {&before, &after})
        for (const gradebook::TestRow& test : judged->tests)
            if (std::ranges::find(names, test.name) == names.end()) names.push_back(test.name);
    std::string text;
    for (const std::string& name : names) {
        const std::string_view was = verdict_in(before, name);
        const std::string_view is = verdict_in(after, name);
        if (was != is) text += fmt::format("      {}: {}, now {}\n", safe_name(name), was, is);
    }
    return text;
}

std::string points(const Judged& judged) {
    return fmt::format("{} of {}", report::number(judged.points), report::number(judged.max_points));
}

std::string problem_lines(const ProblemGrade& before, const ProblemGrade& after) {
    if (before.judged == nullptr || after.judged == nullptr) return {};
    const std::string tests = test_lines(*before.judged, *after.judged);
    if (tests.empty() && points(*before.judged) == points(*after.judged)) return {};
    return fmt::format("    {}: {} points, now {}\n{}", before.problem, points(*before.judged),
                       points(*after.judged), tests);
}

} // namespace

gradebook::Book with_replacements(gradebook::Book book, const std::vector<Replacement>& replacements) {
    for (const Replacement& one : replacements) {
        const auto attempt = std::ranges::find(book.attempts, one.submission, &gradebook::Attempt::id);
        const auto work = std::ranges::find(attempt->works, one.problem, &gradebook::Work::problem);
        work->judgement = one.judgement;
    }
    return book;
}

Compared compare(const gradebook::Book& before, const gradebook::Book& after,
                 const coursework::Assignment& assignment) {
    const auto grades_before = gradebook::grades_of(before, assignment);
    const auto grades_after = gradebook::grades_of(after, assignment);
    Compared compared;
    for (std::size_t i = 0; i < grades_before.size(); ++i) {
        std::string lines;
        for (std::size_t j = 0; j < assignment.problems.size(); ++j)
            lines += problem_lines(grades_before[i].problems[j], grades_after[i].problems[j]);
        if (lines.empty()) continue;
        ++compared.students;
        compared.text +=
            fmt::format("  {}: {:.1f} %, now {:.1f} %\n{}", safe_name(grades_before[i].student->id),
                        grades_before[i].percent, grades_after[i].percent, lines);
    }
    return compared;
}

} // namespace teaching

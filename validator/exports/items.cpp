#include "exports/items.h"

#include <algorithm>
#include <cmath>

namespace exports {
namespace {

using gradebook::ProblemGrade;

/// What one student did with a test.
struct Answered {
    bool passed = false;
    double rest = 0; ///< points of the problem's other tests
};

/// Pearson's correlation, with one variable 0 or 1.
std::optional<double> correlation(const std::vector<Answered>& all) {
    const auto n = static_cast<double>(all.size());
    double sum_x = 0;
    double sum_y = 0;
    for (const Answered& one : all) {
        sum_x += one.passed ? 1 : 0;
        sum_y += one.rest;
    }
    double xy = 0;
    double xx = 0;
    double yy = 0;
    for (const Answered& one : all) {
        const double x = (one.passed ? 1 : 0) - sum_x / n;
        const double y = one.rest - sum_y / n;
        xy += x * y;
        xx += x * x;
        yy += y * y;
    }
    constexpr double nothing = 1e-9;
    if (xx < nothing || yy < nothing) return std::nullopt;
    return xy / std::sqrt(xx * yy);
}

/// Collects by problem and test, in the order in which they first occur.
class Tests {
  public:
    void add(const std::string& problem, const gradebook::Judged& judged) {
        for (const gradebook::TestRow& test : judged.tests) {
            const auto [at, is_new] = places_.emplace(problem + "\n" + test.name, items_.size());
            if (is_new) {
                items_.push_back({problem, test.name});
                answers_.emplace_back();
            }
            const bool passed = test.verdict == model::Verdict::accepted;
            ++items_[at->second].runs;
            items_[at->second].failed += passed ? 0 : 1;
            answers_[at->second].push_back({passed, judged.points - test.points});
        }
    }

    std::vector<TestItem> items() && {
        for (std::size_t i = 0; i < items_.size(); ++i)
            items_[i].discrimination = correlation(answers_[i]);
        return std::move(items_);
    }

  private:
    std::map<std::string, std::size_t> places_;
    std::vector<TestItem> items_;
    std::vector<std::vector<Answered>> answers_;
};

void add_answers(std::vector<QuestionItem>& items, const ProblemGrade& grade) {
    for (const gradebook::AnswerRow& answer : grade.attempt->answers) {
        if (answer.problem != grade.problem || answer.mark == model::Standing::open) continue;
        auto item = std::ranges::find_if(items, [&](const QuestionItem& one) {
            return one.problem == answer.problem && one.question == answer.question;
        });
        if (item == items.end()) item = items.insert(items.end(), {answer.problem, answer.question});
        ++item->answered;
        item->right += answer.mark == model::Standing::right ? 1 : 0;
        if (answer.mark != model::Standing::written) ++item->answers[answer.text];
    }
}

ProblemItem problem_item(const GradedClass& graded, std::size_t index) {
    ProblemItem item{.problem = graded.assignment.problems[index].id};
    std::vector<std::chrono::milliseconds> times;
    for (const gradebook::Grade& grade : graded.grades)
        if (const gradebook::Judged* judged = grade.problems[index].judged) {
            times.push_back(judged->took);
            item.accepted += judged->verdict == model::Verdict::accepted ? 1 : 0;
        }
    item.judged = times.size();
    if (times.empty()) return item;
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::ranges::nth_element(times, middle);
    item.median = *middle;
    item.longest = std::ranges::max(times);
    return item;
}

} // namespace

Items items_of(const GradedClass& graded) {
    Items items;
    Tests tests;
    for (std::size_t i = 0; i < graded.assignment.problems.size(); ++i)
        for (const gradebook::Grade& grade : graded.grades) {
            const ProblemGrade& one = grade.problems[i];
            if (one.attempt != nullptr) add_answers(items.questions, one);
            if (one.judged == nullptr) continue;
            tests.add(one.problem, *one.judged);
            for (const gradebook::MistakeRow& mistake : one.judged->mistakes) {
                MistakeItem& item = items.mistakes[one.problem + ": " + mistake.name];
                ++item.students;
                item.uncertain += mistake.certain ? 0 : 1;
            }
        }
    for (std::size_t i = 0; i < graded.assignment.problems.size(); ++i)
        items.problems.push_back(problem_item(graded, i));
    items.tests = std::move(tests).items();
    return items;
}

} // namespace exports

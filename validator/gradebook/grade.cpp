#include "gradebook/grade.h"

#include <algorithm>

namespace gradebook {
namespace {

using coursework::Assignment;
using coursework::Counts;

using Attempts = std::vector<const Attempt*>;

Attempts attempts_of(const Book& book, const std::string& student) {
    Attempts found;
    for (const Attempt& attempt : book.attempts)
        if (attempt.student == student) found.push_back(&attempt);
    return found;
}

const Work* work_on(const Attempt& attempt, const std::string& problem) {
    const auto work = std::ranges::find(attempt.works, problem, &Work::problem);
    return work == attempt.works.end() || work->state == State::missing ? nullptr : &*work;
}

double factor_of(const Attempt& attempt, const Assignment& assignment) {
    return coursework::late_factor(attempt.submitted, assignment.deadline, assignment.late);
}

/// The attempts that may count for a problem: what is too late counts only if there is nothing else, so that
/// it is shown.
Attempts eligible(const Attempts& attempts, const std::string& problem, const Assignment& assignment) {
    Attempts handed_in;
    for (const Attempt* attempt : attempts)
        if (work_on(*attempt, problem) != nullptr) handed_in.push_back(attempt);
    Attempts in_time;
    for (const Attempt* attempt : handed_in)
        if (factor_of(*attempt, assignment) > 0) in_time.push_back(attempt);
    if (in_time.empty() && !handed_in.empty()) return {handed_in.back()};
    if (assignment.counts == Counts::last && !in_time.empty()) return {in_time.back()};
    return in_time;
}

/// The share of the questions that an attempt answered rightly, by those that can be marked by machine; a
/// text that a person has to mark counts neither way. Nothing where there was none to mark.
std::optional<double> questions_share(const Attempt& attempt, const std::string& problem) {
    std::size_t marked = 0;
    std::size_t right = 0;
    for (const AnswerRow& answer : attempt.answers) {
        if (answer.problem != problem || answer.mark == model::Standing::written) continue;
        ++marked;
        right += answer.mark == model::Standing::right ? 1 : 0;
    }
    if (marked == 0) return std::nullopt;
    return static_cast<double>(right) / static_cast<double>(marked);
}

ProblemGrade grade_of(const Attempt& attempt, const std::string& problem, const Book& book,
                      const Assignment& assignment) {
    ProblemGrade grade{problem, &attempt, work_on(attempt, problem)};
    grade.late_factor = factor_of(attempt, assignment);
    const Work& work = *grade.work;
    if (work.judgement) grade.judged = &book.judged.at(*work.judgement);
    if (!grade.judged && work.state != State::starter) return grade;
    const double questions = assignment.questions_percent / 100;
    const double tests = grade.judged ? grade.judged->share() : 0;
    grade.share = grade.late_factor *
                  ((1 - questions) * tests + questions * questions_share(attempt, problem).value_or(0));
    return grade;
}

/// Of several attempts the best one; one that is not known yet ranks last.
ProblemGrade best_of(const Attempts& attempts, const std::string& problem, const Book& book,
                     const Assignment& assignment) {
    ProblemGrade best{problem};
    best.share = 0;
    bool first = true;
    for (const Attempt* attempt : attempts) {
        const ProblemGrade grade = grade_of(*attempt, problem, book, assignment);
        if (first || grade.share.value_or(-1) >= best.share.value_or(-1)) best = grade;
        first = false;
    }
    return best;
}

void apply_change(ProblemGrade& grade, const std::string& student, const Book& book) {
    for (const Change& change : book.changes)
        if (change.student == student && change.problem == grade.problem) grade.change = &change;
    if (grade.change != nullptr) grade.share = grade.change->percent / 100;
}

} // namespace

std::vector<Grade> grades_of(const Book& book, const Assignment& assignment) {
    std::vector<Grade> grades;
    for (const Enrolled& student : book.students) {
        Grade grade{&student};
        const Attempts attempts = attempts_of(book, student.id);
        if (!attempts.empty() && !attempts.back()->trouble.empty()) grade.trouble = attempts.back();
        double weights = 0;
        double sum = 0;
        for (const coursework::AssignedProblem& problem : assignment.problems) {
            const Attempts candidates = eligible(attempts, problem.id, assignment);
            grade.problems.push_back(best_of(candidates, problem.id, book, assignment));
            ProblemGrade& one = grade.problems.back();
            if (candidates.empty() && grade.trouble != nullptr) one.share = std::nullopt;
            apply_change(one, student.id, book);
            grade.complete = grade.complete && one.share.has_value();
            if (!one.share) continue;
            weights += problem.weight;
            sum += problem.weight * *one.share;
        }
        grade.percent = weights > 0 ? 100 * sum / weights : 0;
        grades.push_back(std::move(grade));
    }
    return grades;
}

std::vector<Needed> needed_works(const Book& book, const Assignment& assignment) {
    std::vector<Needed> needed;
    for (const Enrolled& student : book.students) {
        const Attempts attempts = attempts_of(book, student.id);
        for (const coursework::AssignedProblem& problem : assignment.problems)
            for (const Attempt* attempt : eligible(attempts, problem.id, assignment))
                needed.push_back({attempt, work_on(*attempt, problem.id)});
    }
    return needed;
}

} // namespace gradebook

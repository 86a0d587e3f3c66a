#include "exports/tables.h"

#include "coursework/csv.h"
#include "text/clean.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace exports {
namespace {

using coursework::csv_line;
using gradebook::Grade;
using gradebook::ProblemGrade;
using Cells = std::vector<std::string>;

std::string percent_cell(double share) {
    return fmt::format("{:.2f}", 100 * share);
}

/// Nothing where it is not known: an empty cell is no zero.
std::string grade_cell(const Grade& grade) {
    return grade.complete ? percent_cell(grade.percent / 100) : "";
}

std::string title_of(const GradedClass& graded) {
    return graded.assignment.title.empty() ? "Assignment" : graded.assignment.title;
}

Cells head_of(const GradedClass& graded) {
    Cells head{"id", "name", "email", "section", "percent", "complete"};
    for (const coursework::AssignedProblem& problem : graded.assignment.problems)
        for (const char* column :
             {"", " state", " points", " of", " late", " by hand", " isolation", " submitted"})
            head.push_back(problem.id + column);
    return head;
}

void add_problem(Cells& row, const ProblemGrade& grade) {
    row.push_back(grade.share ? percent_cell(*grade.share) : "");
    row.push_back(state_of(grade));
    row.push_back(grade.judged != nullptr ? fmt::format("{}", grade.judged->points) : "");
    row.push_back(grade.judged != nullptr ? fmt::format("{}", grade.judged->max_points) : "");
    row.push_back(grade.attempt != nullptr ? percent_cell(grade.late_factor) : "");
    row.push_back(grade.change != nullptr ? grade.change->who + ": " + grade.change->why : "");
    row.push_back(grade.judged != nullptr ? grade.judged->isolation : "");
    row.push_back(grade.attempt != nullptr ? coursework::utc(grade.attempt->submitted) : "");
}

/// What came from outside, with its invisible characters shown.
std::string shown(const std::string& text) {
    return text::cleaned(text, text::Lines::keep);
}

std::string line_of(Cells cells) {
    std::ranges::transform(cells, cells.begin(), shown);
    return csv_line(cells);
}

} // namespace

std::vector<File> render_csv(const GradedClass& graded) {
    std::string text = line_of(head_of(graded));
    for (const Grade& grade : graded.grades) {
        const gradebook::Enrolled& student = *grade.student;
        Cells row{student.id,
                  student.name,
                  student.email,
                  student.section,
                  percent_cell(grade.percent / 100),
                  grade.complete ? "yes" : "no"};
        for (const ProblemGrade& problem : grade.problems)
            add_problem(row, problem);
        text += line_of(row);
    }
    return {{"", text}};
}

std::vector<File> render_canvas(const GradedClass& graded) {
    std::string text = line_of({"Student", "ID", "SIS User ID", "SIS Login ID", "Section", title_of(graded)});
    text += line_of({"    Points Possible", "", "", "", "", "100"});
    for (const Grade& grade : graded.grades) {
        const gradebook::Enrolled& student = *grade.student;
        text += line_of({student.name, "", student.id, student.email, student.section, grade_cell(grade)});
    }
    return {{"", text}};
}

std::vector<File> render_moodle(const GradedClass& graded) {
    std::string text = line_of({"ID number", "Email address", title_of(graded)});
    for (const Grade& grade : graded.grades)
        text += line_of({grade.student->id, grade.student->email, grade_cell(grade)});
    return {{"", text}};
}

std::vector<File> render_answers(const GradedClass& graded) {
    std::vector<std::tuple<std::string, std::string, std::string, std::string>> rows;
    for (const Grade& grade : graded.grades)
        for (const ProblemGrade& problem : grade.problems) {
            if (problem.attempt == nullptr) continue;
            for (const gradebook::AnswerRow& answer : problem.attempt->answers)
                if (answer.problem == problem.problem && answer.mark == model::Standing::written)
                    rows.emplace_back(answer.problem, answer.question, grade.student->id, answer.text);
        }
    std::ranges::sort(rows);
    std::string text = line_of({"problem", "question", "student", "answer"});
    for (const auto& [problem, question, student, answer] : rows)
        text += line_of({problem, question, student, answer});
    return {{"", text}};
}

} // namespace exports

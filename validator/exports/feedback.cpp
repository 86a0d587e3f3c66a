#include "exports/feedback.h"

#include "picture/page.h"
#include "report/escape.h"
#include "report/words.h"

#include <fmt/format.h>

namespace exports {
namespace {

using coursework::Outcome;
using coursework::TestOutcome;
using gradebook::Grade;
using gradebook::ProblemGrade;
using model::Verdict;
using report::html;

std::string html_paragraph(std::string_view text, std::string_view attributes = "") {
    if (text.empty()) return {};
    return fmt::format("<p{}>{}</p>\n", attributes, html(text, report::limit::sentence));
}

std::string html_lines(std::string_view text) {
    if (text.empty()) return {};
    return fmt::format("<pre>{}</pre>\n", report::xml(text, report::limit::message, report::Lines::keep));
}

std::string percent_of(const std::optional<double>& share) {
    return share ? fmt::format("{:.1f} %", 100 * *share) : "not graded yet";
}

std::string explained(const ProblemGrade& grade) {
    if (grade.change != nullptr) return "Set by hand: " + grade.change->why;
    if (grade.work == nullptr)
        return grade.share ? "Nothing was handed in."
                           : "What you handed in could not be read; your instructor decides.";
    switch (grade.work->state) {
    case gradebook::State::starter: return "The file is the starter as it was handed out.";
    case gradebook::State::unclear: return "It is not clear what is meant: " + grade.work->note + ".";
    case gradebook::State::waiting:
    case gradebook::State::unjudged:
        return "It could not be judged yet, which is not your fault and costs no points.";
    default: break;
    }
    if (grade.late_factor >= 1) return {};
    return fmt::format("It was handed in late and keeps {:.0f} % of its points.", 100 * grade.late_factor);
}

std::string row_of(const TestOutcome& test) {
    return fmt::format("<tr><td>{}{}</td><td class=\"{}\">{}</td><td>{}/{}</td></tr>\n",
                       html(test.name, report::limit::name), test.hidden ? " (hidden)" : "",
                       test.verdict == Verdict::accepted ? "good" : "bad", model::words(test.verdict),
                       report::number(test.points), report::number(test.max_points));
}

std::string failures(const Outcome& outcome) {
    std::string text;
    for (const TestOutcome& test : outcome.tests) {
        if (test.verdict == Verdict::accepted || (test.message.empty() && test.hint.empty())) continue;
        text += fmt::format("<h3>{}</h3>\n", html(test.name, report::limit::name)) +
                html_lines(test.message) + html_paragraph(test.hint);
    }
    return text;
}

std::string outcome_section(const Outcome& outcome) {
    std::string text = html_paragraph(outcome.summary);
    if (!outcome.mistakes.empty())
        text += html_paragraph(outcome.mistakes.front().says) + html_paragraph(outcome.mistakes.front().hint);
    for (const coursework::CompilerMessage& said : outcome.compiler_messages)
        text += html_paragraph(report::place(said.file, said.line, said.column) + " " + said.text);
    text += "<table class=\"names\"><tr><th scope=\"col\">Test</th><th scope=\"col\">Verdict</th><th "
            "scope=\"col\">Points</th></tr>\n";
    for (const TestOutcome& test : outcome.tests)
        text += row_of(test);
    return text + "</table>\n" + failures(outcome);
}

std::string answers_section(const ProblemGrade& grade) {
    if (grade.attempt == nullptr) return {};
    std::string text;
    for (const gradebook::AnswerRow& answer : grade.attempt->answers)
        if (answer.problem == grade.problem)
            text += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n",
                                html(answer.question, report::limit::name), model::name(answer.mark));
    if (text.empty()) return {};
    return "<h3>Questions</h3>\n<table class=\"names\"><tr><th scope=\"col\">Question</th><th "
           "scope=\"col\">Answer</th></tr>\n" +
           text + "</table>\n";
}

std::string problem_section(const GradedClass& graded, const ProblemGrade& grade) {
    std::string text = fmt::format("<section><h2>{}: {}</h2>\n", html(grade.problem, report::limit::name),
                                   percent_of(grade.share));
    text += html_paragraph(explained(grade));
    if (grade.judged != nullptr) text += outcome_section(graded.outcome(*grade.work->judgement));
    return text + answers_section(grade) + "</section>\n";
}

std::string page_of(const GradedClass& graded, const Grade& grade) {
    const gradebook::Enrolled& student = *grade.student;
    std::string body =
        html_paragraph(student.name.empty() ? student.id : student.name + " (" + student.id + ")");
    body += fmt::format("<p><strong>{:.1f} %</strong>{}</p>\n", grade.percent,
                        grade.complete ? "" : " of what is graded so far");
    for (const ProblemGrade& problem : grade.problems)
        body += problem_section(graded, problem);
    body += html_paragraph("made " + graded.made, " class=\"soft\"");
    const std::string title = graded.assignment.title.empty() ? "Feedback" : graded.assignment.title;
    return picture::page(report::repaired(title, report::limit::name), body);
}

} // namespace

std::vector<File> render_feedback(const GradedClass& graded) {
    std::vector<File> files;
    for (const Grade& grade : graded.grades)
        files.push_back({file_name_of(grade.student->id) + ".html", page_of(graded, grade)});
    return files;
}

} // namespace exports

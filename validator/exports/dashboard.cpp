#include "exports/dashboard.h"

#include "exports/items.h"
#include "picture/page.h"
#include "report/escape.h"
#include "report/words.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>

namespace exports {
namespace {

using gradebook::Grade;
using gradebook::ProblemGrade;

/// Sorts by the column of a button, numbers by their value, and hides rows without the words of the filter.
constexpr std::string_view script = R"js(<script>
document.querySelectorAll('table.sorts').forEach(table => {
  const body = table.tBodies[0], value = (row, i) => row.cells[i].dataset.value ?? row.cells[i].textContent;
  table.querySelectorAll('thead button').forEach((button, i) => button.addEventListener('click', () => {
    const head = button.closest('th'), up = head.getAttribute('aria-sort') !== 'ascending';
    table.querySelectorAll('th').forEach(th => th.removeAttribute('aria-sort'));
    head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
    [...body.rows].sort((a, b) => (up ? 1 : -1) *
      value(a, i).localeCompare(value(b, i), undefined, {numeric: true})).forEach(row => body.append(row));
  }));
});
const filter = document.getElementById('filter');
filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\s+/);
  for (const row of document.querySelector('#students tbody').rows)
    row.hidden = !words.every(word => row.textContent.toLowerCase().includes(word));
});
</script>
)js";

std::string name_cell(const std::string& text) {
    return fmt::format("<td>{}</td>", report::html(text, report::limit::name));
}

std::string count_cell(std::size_t count) {
    return fmt::format("<td class=\"number\">{}</td>", count);
}

/// A table whose columns sort. `rows` are whole.
std::string sorting_table(const char* id, const std::vector<std::string>& head, const std::string& rows) {
    std::string text = fmt::format(
        "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{0}\"><table id=\"{0}\" "
        "class=\"names sorts\"><thead><tr>",
        id);
    for (const std::string& cell : head)
        text += fmt::format("<th scope=\"col\"><button type=\"button\">{}</button></th>",
                            report::html(cell, report::limit::name));
    return text + "</tr></thead><tbody>\n" + rows + "</tbody></table></div>\n";
}

std::string sections(std::string_view title, const std::string& body) {
    return body.empty() ? "" : fmt::format("<section><h2>{}</h2>\n{}</section>\n", title, body);
}

std::string list_item(const std::string& text) {
    return fmt::format("<li>{}</li>\n", report::html(text, report::limit::sentence));
}

/// Tests whose result says little about the rest, or the contrary: below this they are worth a look.
constexpr double weak_discrimination = 0.1;
/// Below this, on either side, it may be chance.
constexpr std::size_t enough_runs = 3;

std::string attention_to_tests(const Items& items) {
    std::string text;
    for (const TestItem& test : items.tests) {
        const std::string name = test.problem + ", " + test.name;
        if (test.runs > 1 && test.failed == test.runs)
            text += list_item(fmt::format("Nobody passes: {} ({} runs)", name, test.runs));
        else if (std::min(test.failed, test.runs - test.failed) >= enough_runs && test.discrimination &&
                 *test.discrimination < weak_discrimination)
            text +=
                list_item(fmt::format("Says little about the rest of the work: {} (discrimination {:.2f})",
                                      name, *test.discrimination));
    }
    return text;
}

std::string attention_to_names(const Items& items) {
    std::string text;
    for (const auto& [mistake, item] : items.mistakes)
        if (item.students >= enough_runs && 2 * item.uncertain > item.students)
            text += list_item(fmt::format("A name that seldom explains all failures: {} ({} of {} students)",
                                          mistake, item.uncertain, item.students));
    return text;
}

std::string seconds(std::chrono::milliseconds time) {
    return fmt::format("{:.1f}", static_cast<double>(time.count()) / 1000);
}

std::size_t attempts_of(const GradedClass& graded, const std::string& student) {
    return static_cast<std::size_t>(
        std::ranges::count(graded.book.attempts, student, &gradebook::Attempt::student));
}

/// Work that took the judge far longer than others' on the same problem, and students who handed in far more
/// often than others.
std::string attention_to_outliers(const GradedClass& graded, const Items& items) {
    constexpr int far = 5;
    constexpr std::chrono::seconds least_time{5};
    constexpr std::size_t least_attempts = 5;
    std::string text;
    std::vector<std::size_t> attempts;
    for (const Grade& grade : graded.grades) {
        for (std::size_t i = 0; i < grade.problems.size(); ++i) {
            const gradebook::Judged* judged = grade.problems[i].judged;
            if (judged != nullptr && judged->took >= least_time &&
                judged->took > far * items.problems[i].median)
                text += list_item(fmt::format(
                    "Slow to judge: {}, {} ({} s, half of the class less than {} s)", grade.student->id,
                    items.problems[i].problem, seconds(judged->took), seconds(items.problems[i].median)));
        }
        attempts.push_back(attempts_of(graded, grade.student->id));
    }
    if (attempts.empty()) return text;
    std::vector<std::size_t> sorted = attempts;
    std::ranges::sort(sorted);
    const std::size_t median = sorted[sorted.size() / 2];
    for (std::size_t i = 0; i < attempts.size(); ++i)
        if (attempts[i] >= least_attempts && attempts[i] > far * median)
            text += list_item(fmt::format("Many attempts: {} ({}, half of the class at most {})",
                                          graded.grades[i].student->id, attempts[i], median));
    return text;
}

std::string attention(const GradedClass& graded, const Items& items) {
    std::string text;
    for (const Grade& grade : graded.grades) {
        if (grade.trouble != nullptr)
            text += list_item(fmt::format("{}: {}", grade.student->id, grade.trouble->trouble));
        for (const ProblemGrade& problem : grade.problems)
            if (problem.work != nullptr && problem.change == nullptr && !problem.work->note.empty())
                text += list_item(
                    fmt::format("{}, {}: {}", grade.student->id, problem.problem, problem.work->note));
    }
    text += attention_to_tests(items) + attention_to_names(items) + attention_to_outliers(graded, items);
    return text.empty() ? "" : "<ul>\n" + text + "</ul>\n";
}

std::string distribution(const GradedClass& graded) {
    std::array<std::size_t, 10> bins{};
    for (const Grade& grade : graded.grades)
        if (grade.complete) ++bins.at(std::min<std::size_t>(9, static_cast<std::size_t>(grade.percent / 10)));
    std::string rows;
    for (std::size_t i = 0; i < bins.size(); ++i)
        rows += fmt::format(
            "<tr><th scope=\"row\">{} to {} %</th><td>{}</td><td style=\"text-align:left\"><meter min=\"0\" "
            "max=\"{}\" value=\"{}\">{}</meter></td></tr>\n",
            10 * i, 10 * i + 10, bins.at(i), std::max<std::size_t>(1, *std::ranges::max_element(bins)),
            bins.at(i), bins.at(i));
    return "<table><tr><th scope=\"col\">Grade</th><th scope=\"col\">Students</th><th "
           "scope=\"col\"></th></tr>\n" +
           rows + "</table>\n";
}

std::string problems_table(const Items& items) {
    std::string rows;
    for (const ProblemItem& problem : items.problems)
        if (problem.judged > 0)
            rows += "<tr>" + name_cell(problem.problem) + count_cell(problem.judged) +
                    count_cell(problem.accepted) +
                    fmt::format("<td class=\"number\">{}</td><td class=\"number\">{}</td></tr>\n",
                                seconds(problem.median), seconds(problem.longest));
    if (rows.empty()) return {};
    return sorting_table("problems", {"Problem", "Judged", "Accepted", "Median seconds", "Longest"}, rows);
}

std::string tests_table(const Items& items) {
    std::string rows;
    for (const TestItem& test : items.tests)
        rows += "<tr>" + name_cell(test.problem) + name_cell(test.name) + count_cell(test.runs) +
                count_cell(test.failed) +
                fmt::format("<td class=\"number\">{:.0f} %</td>", 100 * test.failure_rate()) +
                (test.discrimination ? fmt::format("<td class=\"number\">{:.2f}</td>", *test.discrimination)
                                     : "<td></td>") +
                "</tr>\n";
    if (rows.empty()) return {};
    return sorting_table("tests", {"Problem", "Test", "Runs", "Failed", "Failure rate", "Discrimination"},
                         rows);
}

std::string mistakes_table(const Items& items) {
    std::vector<std::pair<std::string, MistakeItem>> frequent(items.mistakes.begin(), items.mistakes.end());
    std::ranges::stable_sort(frequent, std::greater(), [](const auto& each) { return each.second.students; });
    std::string rows;
    for (const auto& [mistake, item] : frequent)
        rows += "<tr>" + name_cell(mistake) + count_cell(item.students) +
                count_cell(item.students - item.uncertain) + "</tr>\n";
    return rows.empty() ? "" : sorting_table("mistakes", {"Mistake", "Students", "Explains all"}, rows);
}

std::string questions_table(const Items& items) {
    std::string rows;
    for (const QuestionItem& question : items.questions) {
        std::string said;
        for (const auto& [answer, count] : question.answers)
            said += fmt::format("{}{} ({})", said.empty() ? "" : ", ", answer, count);
        rows += "<tr>" + name_cell(question.problem) + name_cell(question.question) +
                count_cell(question.answered) + count_cell(question.right) +
                fmt::format("<td>{}</td>", report::html(said, report::limit::sentence)) + "</tr>\n";
    }
    return rows.empty()
               ? ""
               : sorting_table("questions", {"Problem", "Question", "Answered", "Right", "Answers"}, rows);
}

std::string students_table(const GradedClass& graded) {
    std::vector<std::string> head{"Student", "Name", "Section", "Grade", "Attempts"};
    for (const coursework::AssignedProblem& problem : graded.assignment.problems)
        head.push_back(problem.id);
    std::string rows;
    for (const Grade& grade : graded.grades) {
        rows += "<tr>" + name_cell(grade.student->id) + name_cell(grade.student->name) +
                name_cell(grade.student->section) +
                fmt::format("<td class=\"number\" data-value=\"{0:.2f}\">{0:.1f} %{1}</td>", grade.percent,
                            grade.complete ? "" : " (so far)") +
                count_cell(attempts_of(graded, grade.student->id));
        for (const ProblemGrade& problem : grade.problems) {
            std::string text = problem.share ? fmt::format("{:.1f} %, ", 100 * *problem.share) : "";
            text += problem.change != nullptr ? "by hand" : state_of(problem);
            if (problem.late_factor < 1) text += ", late";
            rows += name_cell(text);
        }
        rows += "</tr>\n";
    }
    return "<p><label>Filter: <input id=\"filter\" type=\"search\"></label></p>\n" +
           sorting_table("students", head, rows);
}

} // namespace

std::vector<File> render_dashboard(const GradedClass& graded) {
    const Items items = items_of(graded);
    std::string body = sections("What needs attention", attention(graded, items));
    body += sections("Grades", distribution(graded)) + sections("Problems", problems_table(items)) +
            sections("Tests", tests_table(items));
    body += sections("Mistakes", mistakes_table(items)) + sections("Questions", questions_table(items));
    body += sections("Students", students_table(graded));
    body += fmt::format("<p class=\"soft\">{}, made {}</p>\n", report::count(graded.grades.size(), "student"),
                        graded.made);
    body += script;
    const std::string title = graded.assignment.title.empty() ? "The class" : graded.assignment.title;
    return {{"", picture::page(report::repaired(title, report::limit::name), body)}};
}

} // namespace exports

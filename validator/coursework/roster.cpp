#include "coursework/roster.h"

#include "coursework/csv.h"

#include <algorithm>
#include <array>
#include <map>

namespace coursework {
namespace {

enum class Column { id, name, first_name, last_name, email, section };

struct ColumnName {
    std::string_view word; ///< in lower case
    Column column;
};

constexpr std::array<ColumnName, 19> column_names{{
    {"id", Column::id},
    {"student", Column::id},
    {"student id", Column::id},
    {"student_id", Column::id},
    {"sid", Column::id},
    {"sis user id", Column::id},
    {"id number", Column::id},
    {"username", Column::id},
    {"login", Column::id},
    {"name", Column::name},
    {"student name", Column::name},
    {"full name", Column::name},
    {"first name", Column::first_name},
    {"last name", Column::last_name},
    {"surname", Column::last_name},
    {"email", Column::email},
    {"email address", Column::email},
    {"section", Column::section},
    {"sections", Column::section},
}};

std::string trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

/// Letters beyond ASCII stay as they are: they are compared to the letter.
std::string folded(std::string_view text) {
    std::string lower = trimmed(text);
    std::ranges::transform(lower, lower.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
    return lower;
}

/// Where each known column is; the first of several wins.
std::map<Column, std::size_t> columns_of(const CsvRow& head) {
    std::map<Column, std::size_t> columns;
    for (const ColumnName& known : column_names)
        for (std::size_t i = 0; i < head.cells.size(); ++i)
            if (folded(head.cells[i]) == known.word) columns.emplace(known.column, i);
    return columns;
}

Student student_of(const CsvRow& row, const std::map<Column, std::size_t>& columns) {
    const auto cell = [&](Column column) {
        const auto at = columns.find(column);
        return at == columns.end() || at->second >= row.cells.size() ? "" : trimmed(row.cells[at->second]);
    };
    Student student{cell(Column::id), cell(Column::name), cell(Column::email), cell(Column::section)};
    if (student.name.empty())
        student.name = trimmed(cell(Column::first_name) + " " + cell(Column::last_name));
    if (student.id.empty() && !columns.contains(Column::id)) student.id = student.email;
    return student;
}

} // namespace

std::vector<Student> read_roster(const catalogue::Source& source) {
    const std::vector<CsvRow> rows = read_csv(source.name, source.text);
    if (rows.empty())
        fail(source, 1, "the roster is empty; its first row names the columns, as in: id,name,email");
    const auto columns = columns_of(rows.front());
    if (!columns.contains(Column::id) && !columns.contains(Column::email))
        fail(source, rows.front().line, "no column is called id or email; the first row names the columns");
    std::vector<Student> students;
    std::map<std::string, std::size_t> lines;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        Student student = student_of(rows[i], columns);
        if (student.id.empty()) fail(source, rows[i].line, "the student has no id");
        const auto [other, is_new] = lines.emplace(folded(student.id), rows[i].line);
        if (!is_new)
            fail(source, rows[i].line,
                 "the student " + student.id + " is in line " + std::to_string(other->second) + " already");
        students.push_back(std::move(student));
    }
    return students;
}

std::optional<std::size_t> find_student(std::span<const Student> roster, std::span<const std::string> words) {
    for (const auto field : {&Student::id, &Student::email, &Student::name})
        for (const std::string& word : words) {
            const std::string wanted = folded(word);
            if (wanted.empty()) continue;
            const auto named = [&](const Student& student) { return folded(student.*field) == wanted; };
            const auto found = std::ranges::find_if(roster, named);
            if (found != roster.end() && std::ranges::count_if(roster, named) == 1)
                return static_cast<std::size_t>(found - roster.begin());
        }
    return std::nullopt;
}

} // namespace coursework

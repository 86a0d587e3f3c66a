#include "exports/pseudonyms.h"

#include "coursework/csv.h"

#include <algorithm>
#include <set>

namespace exports {
namespace {

std::set<std::string> taken_names(const Pseudonyms& pseudonyms) {
    std::set<std::string> taken;
    for (const auto& [id, name] : pseudonyms)
        taken.insert(name);
    return taken;
}

/// Without the apostrophe that a file for spreadsheets has before what looks like a formula.
std::string as_meant(const std::string& cell) {
    return cell.size() > 1 && cell.front() == '\'' && coursework::is_formula(cell.substr(1)) ? cell.substr(1)
                                                                                             : cell;
}

} // namespace

Pseudonyms read_pseudonyms(const catalogue::Source& source) {
    const std::vector<coursework::CsvRow> rows = coursework::read_csv(source.name, source.text);
    if (rows.empty() || rows.front().cells != std::vector<std::string>{"id", "pseudonym"})
        catalogue::fail(source, 1, "the first row must be: id,pseudonym");
    Pseudonyms pseudonyms;
    std::set<std::string> taken;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const std::vector<std::string>& cells = rows[i].cells;
        if (cells.size() != 2 || cells[0].empty() || cells[1].empty())
            catalogue::fail(source, rows[i].line, "a row must have an id and a pseudonym");
        if (!pseudonyms.emplace(as_meant(cells[0]), as_meant(cells[1])).second)
            catalogue::fail(source, rows[i].line, "the student " + cells[0] + " has a pseudonym already");
        if (!taken.insert(cells[1]).second)
            catalogue::fail(source, rows[i].line, "the pseudonym " + cells[1] + " is another student's");
    }
    return pseudonyms;
}

std::string write_pseudonyms(const Pseudonyms& pseudonyms) {
    std::string text = coursework::csv_line({"id", "pseudonym"});
    for (const auto& [id, name] : pseudonyms)
        text += coursework::csv_line({id, name});
    return text;
}

void complete(Pseudonyms& pseudonyms, const gradebook::Book& book, const std::function<std::string()>& draw) {
    std::set<std::string> taken = taken_names(pseudonyms);
    for (const gradebook::Enrolled& student : book.students) {
        if (pseudonyms.contains(student.id)) continue;
        std::string name = draw();
        while (!taken.insert(name).second)
            name = draw();
        pseudonyms.emplace(student.id, name);
    }
}

gradebook::Book pseudonymous(gradebook::Book book, const Pseudonyms& pseudonyms) {
    for (gradebook::Enrolled& student : book.students)
        student = {{pseudonyms.at(student.id), "", "", ""}, student.listed};
    for (gradebook::Attempt& attempt : book.attempts) {
        attempt.student = pseudonyms.at(attempt.student);
        attempt.source.clear();
    }
    for (gradebook::Change& change : book.changes)
        change.student = pseudonyms.at(change.student);
    // Whoever knows the order of the class would know who is who.
    std::ranges::sort(book.students, {}, &gradebook::Enrolled::id);
    return book;
}

} // namespace exports

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Comma-separated values, as RFC 4180 has them and as spreadsheets write them.
namespace coursework {

/// A row and the line that it begins in, from 1.
struct CsvRow {
    std::size_t line = 0;
    std::vector<std::string> cells;
};

/// All rows that are not blank. A byte order mark is skipped; the separator is whichever of comma, semicolon
/// and tab occurs most often in the first line. `name` is what messages call the text. Throws
/// model::ContentError for a quote that is not closed, for text after a closing quote, and for more than
/// 100,000 rows or 1,000 cells in one.
std::vector<CsvRow> read_csv(const std::string& name, std::string_view text);

/// What a spreadsheet calculates instead of showing it (OWASP, CSV injection).
bool is_formula(std::string_view cell);

/// A line of a file that a spreadsheet opens, CR LF at its end. Text that a spreadsheet would take for a
/// formula, because it begins with = + - @, a tab or a line end, gets an apostrophe in front; numbers of ours
/// do not pass through here.
std::string csv_line(const std::vector<std::string>& cells);

} // namespace coursework

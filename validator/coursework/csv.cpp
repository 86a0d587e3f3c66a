#include "coursework/csv.h"

#include "catalogue/source.h"

#include <algorithm>
#include <array>

namespace coursework {
namespace {

constexpr std::size_t max_rows = 100'000;
constexpr std::size_t max_cells = 1'000;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

char separator_of(std::string_view text) {
    const std::string_view first = text.substr(0, text.find('\n'));
    constexpr std::array candidates{',', ';', '\t'};
    return *std::ranges::max_element(candidates, {},
                                     [&](char one) { return std::ranges::count(first, one); });
}

/// Reads one cell after the other.
class Reader {
  public:
    Reader(const std::string& name, std::string_view text)
        : name_(name), text_(text), separator_(separator_of(text)) {}

    std::vector<CsvRow> rows() {
        std::vector<CsvRow> rows;
        while (at_ < text_.size()) {
            CsvRow row{line_, {}};
            do {
                if (row.cells.size() == max_cells) fail("it has more than 1,000 cells");
                row.cells.push_back(cell());
            } while (take(separator_));
            end_row();
            if (row.cells.size() == 1 && row.cells.front().empty()) continue;
            if (rows.size() == max_rows) fail("there are more than 100,000 rows");
            rows.push_back(std::move(row));
        }
        return rows;
    }

  private:
    [[noreturn]] void fail(const std::string& what) const { catalogue::fail({name_, {}}, line_, what); }

    bool take(char wanted) {
        if (at_ == text_.size() || text_[at_] != wanted) return false;
        ++at_;
        return true;
    }

    std::string cell() {
        if (take('"')) return quoted();
        const std::size_t end =
            std::min(text_.find_first_of(std::string("\r\n") + separator_, at_), text_.size());
        std::string plain(text_.substr(at_, end - at_));
        at_ = end;
        return plain;
    }

    std::string quoted() {
        const std::size_t opened = line_;
        std::string value;
        while (at_ < text_.size()) {
            if (take('"')) {
                if (!take('"')) return value;
                value += '"';
                continue;
            }
            line_ += text_[at_] == '\n' ? 1 : 0;
            value += text_[at_++];
        }
        line_ = opened;
        fail("a quote is opened and not closed");
    }

    void end_row() {
        if (at_ == text_.size()) return;
        const bool returned = take('\r');
        if (!take('\n') && !returned) fail("there is text after a closing quote");
        ++line_;
    }

    const std::string& name_;
    std::string_view text_;
    char separator_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
};

std::string csv_cell(const std::string& cell) {
    std::string text = is_formula(cell) ? "'" + cell : cell;
    if (text.find_first_of(",;\"\r\n\t") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char letter : text)
        quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
    return quoted + "\"";
}

} // namespace

bool is_formula(std::string_view cell) {
    return !cell.empty() && std::string_view("=+-@\t\r\n").find(cell.front()) != std::string_view::npos;
}

std::vector<CsvRow> read_csv(const std::string& name, std::string_view text) {
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    return Reader(name, text).rows();
}

std::string csv_line(const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i)
        line += (i == 0 ? "" : ",") + csv_cell(cells[i]);
    return line + "\r\n";
}

} // namespace coursework

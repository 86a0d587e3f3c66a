#include "terminal/progress.h"

#include "text/clean.h"
#include "text/width.h"

#include <algorithm>

namespace terminal {

Progress::Progress(std::ostream& out, bool is_terminal, int columns)
    : out_(out), is_terminal_(is_terminal), columns_(columns) {}

Progress::~Progress() {
    clear();
}

void Progress::show(std::string_view text) {
    std::string line = text::printable(text);
    std::replace(line.begin(), line.end(), '\n', ' ');
    if (is_terminal_) line = text::shortened(line, columns_ - 1); // the last column makes some terminals wrap
    if (line == shown_) return;
    if (is_terminal_) {
        clear();
        out_ << line << std::flush;
    } else if (written_.insert(line).second) {
        out_ << line << '\n' << std::flush;
    }
    shown_ = line;
}

void Progress::clear() {
    // Blanks instead of an escape sequence: they work on every terminal.
    if (is_terminal_ && !shown_.empty())
        out_ << '\r' << std::string(static_cast<std::size_t>(text::columns(shown_)), ' ') << '\r'
             << std::flush;
    shown_.clear();
}

} // namespace terminal

#pragma once

#include <ostream>
#include <set>
#include <string>
#include <string_view>

namespace terminal {

/// One line that says what is being done. On a terminal it overwrites itself and is gone at the end;
/// elsewhere each text is a plain line, once: several builds have headers of the same name to prepare.
class Progress {
  public:
    /// `columns` is the terminal's real width: a line that wraps could not be overwritten.
    Progress(std::ostream& out, bool is_terminal, int columns);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Control characters are removed. The same text again writes nothing.
    void show(std::string_view text);

    /// Takes the line away, so that other output can follow.
    void clear();

  private:
    std::ostream& out_;
    bool is_terminal_;
    int columns_;
    std::string shown_;
    std::set<std::string> written_; ///< where there is no terminal
};

} // namespace terminal

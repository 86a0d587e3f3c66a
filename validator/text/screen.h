#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace text {

/// What another program prints on a terminal, as it may be passed on to the user's. It may move the cursor,
/// erase, scroll and choose colours, as readline and gdb do. Whatever else an escape sequence could ask for
/// (the clipboard, the title, an answer that is typed, a report, a mode of the mouse) is shown in place of
/// acting: its ESC appears as `\x1b`.
class Screen {
  public:
    /// What may be passed on; a sequence that is not whole yet waits for the next call.
    std::string passed(std::string_view bytes);

    /// What is still waiting, and what takes back modes that were switched on.
    std::string ending();

  private:
    /// How many bytes at the begin of `rest` become what is appended to `out`; 0 where more are needed to
    /// tell.
    std::size_t pass_escape(std::string_view rest, std::string& out);
    /// The same for what begins with ESC [.
    std::size_t pass_control(std::string_view rest, std::string& out);

    std::string waiting_;
    std::set<std::string, std::less<>> changed_; ///< modes that are not as they were
    bool acted_ = false;                         ///< a sequence was passed on
};

} // namespace text

#pragma once

#include <map>
#include <string>

namespace terminal {

/// What `--color` says.
enum class ColourChoice { automatic, always, never };

/// What decides how text is shown, as found around this process; tests make their own.
struct Surroundings {
    bool is_terminal = false;
    int columns = 0;                              ///< as the terminal says; 0 where it does not
    int rows = 0;                                 ///< likewise
    std::map<std::string, std::string> variables; ///< of the environment, those that matter here
};

/// Looks at the descriptor (1 for stdout, 2 for stderr) and at the environment.
Surroundings surroundings(int fd);

struct Capabilities {
    bool is_terminal = false; ///< cursor movement and prompts are welcome
    bool colour = false;
    bool unicode = false; ///< the locale is UTF-8; else plain ASCII
    bool plain = false;   ///< words for signs, nothing laid out in columns, no colours
    bool links = false;   ///< sequences for links (OSC 8) do no harm
    int rows = 0;         ///< 0 where they are not known
    int columns = 80;     ///< the real width
    int width = 80;       ///< the width for prose: `columns`, kept between 40 and 100
};

/// `--color` wins, then NO_COLOR, then CLICOLOR_FORCE, then whether this is a terminal that is not TERM=dumb.
/// The width is the terminal's, else COLUMNS, else 80. `plain` is what --plain says; ENGINE_PLAIN says it
/// too.
Capabilities capabilities(const Surroundings& surroundings, ColourChoice choice, bool plain);

} // namespace terminal

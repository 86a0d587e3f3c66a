#include "terminal/capabilities.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>

namespace terminal {
namespace {

constexpr int narrowest_prose = 40;
constexpr int widest_prose = 100;
constexpr int usual_columns = 80;
constexpr int max_columns = 10'000; // beyond any screen: a mistyped COLUMNS

std::string variable(const Surroundings& surroundings, const char* name) {
    const auto found = surroundings.variables.find(name);
    return found == surroundings.variables.end() ? std::string() : found->second;
}

bool wants_colour(const Surroundings& surroundings, ColourChoice choice) {
    if (choice != ColourChoice::automatic) return choice == ColourChoice::always;
    if (!variable(surroundings, "NO_COLOR").empty()) return false;
    const std::string force = variable(surroundings, "CLICOLOR_FORCE");
    if (!force.empty() && force != "0") return true;
    const std::string term = variable(surroundings, "TERM");
    return surroundings.is_terminal && !term.empty() && term != "dumb";
}

bool is_utf8(const Surroundings& surroundings) {
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) { // the first one set decides, as POSIX has it
        std::string locale = variable(surroundings, name);
        if (locale.empty()) continue;
        std::transform(locale.begin(), locale.end(), locale.begin(),
                       [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
        return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
    }
    return false;
}

int count_columns(const Surroundings& surroundings) {
    if (surroundings.columns > 0) return surroundings.columns;
    const std::string text = variable(surroundings, "COLUMNS");
    int columns = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), columns);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole && columns > 0 && columns <= max_columns ? columns : usual_columns;
}

} // namespace

Surroundings surroundings(int fd) {
    Surroundings found;
    found.is_terminal = ::isatty(fd) == 1;
    winsize size{};
    if (found.is_terminal && ::ioctl(fd, TIOCGWINSZ, &size) == 0) {
        found.columns = size.ws_col;
        found.rows = size.ws_row;
    }
    for (const char* name :
         {"NO_COLOR", "CLICOLOR_FORCE", "TERM", "LC_ALL", "LC_CTYPE", "LANG", "COLUMNS", "ENGINE_PLAIN"})
        if (const char* value = std::getenv(name)) found.variables[name] = value;
    return found;
}

Capabilities capabilities(const Surroundings& surroundings, ColourChoice choice, bool plain) {
    const int columns = count_columns(surroundings);
    const std::string wish = variable(surroundings, "ENGINE_PLAIN");
    const bool words = plain || (!wish.empty() && wish != "0");
    const bool colour = !words && wants_colour(surroundings, choice);
    return {.is_terminal = surroundings.is_terminal,
            .colour = colour,
            .unicode = is_utf8(surroundings),
            .plain = words,
            // The console of Linux shows the rest of a sequence that it does not know.
            .links = colour && surroundings.is_terminal && variable(surroundings, "TERM") != "linux",
            .rows = surroundings.rows,
            .columns = columns,
            .width = std::clamp(columns, narrowest_prose, widest_prose)};
}

} // namespace terminal

#pragma once

#include <istream>
#include <string>

namespace catalogue {

/// `text` without blanks and line ends at both ends.
inline std::string trimmed(const std::string& text) {
    constexpr auto blanks = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(blanks);
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// The next line without its end, be it "\n" or "\r\n"; false when there is none.
inline bool next_line(std::istream& stream, std::string& line) {
    if (!std::getline(stream, line)) return false;
    if (line.ends_with('\r')) line.pop_back();
    return true;
}

} // namespace catalogue

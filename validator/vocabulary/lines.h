#pragma once

#include "catalogue/source.h"
#include "model/errors.h"

#include <string>
#include <string_view>
#include <vector>

namespace vocabulary {

/// The lines of a file, without what ends them: a line feed, or a carriage return and a line feed.
inline std::vector<std::string_view> lines_of(const catalogue::Source& source) {
    std::vector<std::string_view> lines;
    std::string_view rest = source.text;
    while (!rest.empty()) {
        const std::size_t end = rest.find('\n');
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines.push_back(line);
    }
    return lines;
}

/// The two words of a line, empty where it has not exactly two with one blank between them.
struct TwoWords {
    std::string_view first, second;
};
inline TwoWords two_words(std::string_view line) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos || blank == 0 || blank + 1 == line.size()) return {};
    if (line.find(' ', blank + 1) != std::string_view::npos) return {};
    return {line.substr(0, blank), line.substr(blank + 1)};
}

[[noreturn]] inline void refuse(const catalogue::Source& source, const std::string& what) {
    throw model::UsageError(source.name + ": " + what);
}
[[noreturn]] inline void refuse(const catalogue::Source& source, std::size_t line, const std::string& what) {
    throw model::UsageError(source.name + ":" + std::to_string(line) + ": " + what);
}

} // namespace vocabulary

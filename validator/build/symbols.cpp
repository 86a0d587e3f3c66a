#include "build/symbols.h"

#include <algorithm>

namespace build {

std::vector<std::string> parse_symbols(std::string_view output) {
    constexpr std::size_t most = 200;
    constexpr std::string_view code = "TtWw";
    std::vector<std::string> names;
    while (!output.empty() && names.size() < most) {
        const std::size_t end = std::min(output.find('\n'), output.size());
        const std::string_view line = output.substr(0, end);
        output.remove_prefix(std::min(end + 1, output.size()));
        // "0000000000000000 T exercise::lookup(int)"
        const std::size_t space = line.find(' ');
        if (space == std::string_view::npos || space + 3 >= line.size() || line[space + 2] != ' ') continue;
        if (code.find(line[space + 1]) != std::string_view::npos) names.emplace_back(line.substr(space + 3));
    }
    return names;
}

} // namespace build

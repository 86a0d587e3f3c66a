#include "bundle/blame.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace bundle {
namespace {

bool in_file_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
}

/// The owner of the file that a line of the compiler's names first, or nothing.
std::string named_in(std::string_view line, const std::map<std::string, std::string>& owners) {
    for (std::size_t at = 0; at < line.size();) {
        const std::size_t begin = static_cast<std::size_t>(
            std::find_if(line.begin() + static_cast<std::ptrdiff_t>(at), line.end(), in_file_name) -
            line.begin());
        const std::size_t end = static_cast<std::size_t>(
            std::find_if_not(line.begin() + static_cast<std::ptrdiff_t>(begin), line.end(), in_file_name) -
            line.begin());
        const auto found = owners.find(std::string(line.substr(begin, end - begin)));
        if (found != owners.end()) return found->second;
        at = end;
    }
    return {};
}

} // namespace

std::set<std::string> blamed(const std::string& output, const std::map<std::string, std::string>& owners,
                             const std::string& shared) {
    std::set<std::string> found;
    std::string led_here;
    for (std::size_t begin = 0; begin < output.size();) {
        const std::size_t end = std::min(output.find('\n', begin), output.size());
        const std::string_view line = std::string_view(output).substr(begin, end - begin);
        const std::string named = named_in(line, owners);
        if (led_here.empty() || (!named.empty() && named != shared)) led_here = named;
        if (line.find("error: ") != std::string_view::npos) found.insert(named.empty() ? led_here : named);
        begin = end + 1;
    }
    return found;
}

} // namespace bundle

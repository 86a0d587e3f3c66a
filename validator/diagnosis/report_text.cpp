#include "diagnosis/report_text.h"

#include <algorithm>
#include <charconv>

namespace diagnosis {

std::string without_addresses(std::string_view text) {
    constexpr std::string_view decimal = "0123456789";
    constexpr std::string_view hexadecimal = "0123456789abcdef";
    const auto end_of = [&](std::string_view digits, std::size_t from) {
        return std::min(text.find_first_not_of(digits, from), text.size());
    };
    std::string kept;
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view rest = text.substr(at);
        if (rest.starts_with("==") && text.substr(end_of(decimal, at + 2)).starts_with("==")) {
            at = end_of(decimal, at + 2) + 2;
        } else if (rest.starts_with("(pid=")) {
            at = end_of(decimal, at + 5) + 1;
        } else if (rest.starts_with("0x")) {
            kept += "0x...";
            at = end_of(hexadecimal, at + 2);
        } else {
            kept += text[at++];
        }
    }
    return kept;
}

int line_after(std::string_view text, const std::string& file) {
    for (std::size_t at = text.find(file + ":"); at != std::string_view::npos;
         at = text.find(file + ":", at + 1)) {
        const bool whole_name = at == 0 || text[at - 1] == '/' || text[at - 1] == ' ' || text[at - 1] == '\n';
        int line = 0;
        const char* digits = text.data() + at + file.size() + 1;
        if (whole_name && std::from_chars(digits, text.data() + text.size(), line).ec == std::errc{})
            return line;
    }
    return 0;
}

} // namespace diagnosis

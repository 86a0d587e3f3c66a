#include "diagnosis/sanitizer.h"

#include <charconv>
#include <string_view>

namespace diagnosis {
namespace {

constexpr std::size_t most_lines = 20;

std::string_view first_line(std::string_view text) {
    return text.substr(0, text.find('\n'));
}

std::string_view first_lines(std::string_view text, std::size_t count) {
    std::size_t end = 0;
    for (; count > 0 && end != std::string_view::npos; --count)
        end = text.find('\n', end + (end == 0 ? 0 : 1));
    return text.substr(0, end);
}

/// The number after `file:` at its first mention that has one.
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

} // namespace

std::optional<model::SanitizerFinding> read_sanitizer_report(const std::string& output,
                                                             const std::vector<std::string>& files) {
    constexpr std::string_view address = "ERROR: AddressSanitizer: ";
    constexpr std::string_view undefined = "runtime error: ";
    const std::string_view text = output;

    model::SanitizerFinding finding;
    std::size_t begin = 0;
    if (const std::size_t at = text.find(address); at != std::string_view::npos) {
        const std::string_view rest = first_line(text.substr(at + address.size()));
        finding.kind = rest.substr(0, rest.find(' '));
        begin = text.rfind('\n', at) + 1;
    } else if (const std::size_t other = text.find(undefined); other != std::string_view::npos) {
        finding.kind = first_line(text.substr(other + undefined.size())).substr(0, 200);
        begin = text.rfind('\n', other) + 1;
    } else {
        return std::nullopt;
    }
    const std::string_view report = text.substr(begin);
    finding.text = first_lines(report, most_lines);
    for (const std::string& file : files)
        if (const int line = line_after(report, file); line > 0) {
            finding.file = file;
            finding.line = line;
            break;
        }
    return finding;
}

} // namespace diagnosis

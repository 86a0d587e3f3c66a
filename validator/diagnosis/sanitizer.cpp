#include "diagnosis/sanitizer.h"

#include "diagnosis/report_text.h"

#include <algorithm>
#include <string_view>

namespace diagnosis {
namespace {

constexpr std::size_t max_lines = 20;
constexpr std::size_t longest_kind = 200;

std::string_view first_line(std::string_view text) {
    return text.substr(0, text.find('\n'));
}

std::string_view first_lines(std::string_view text, std::size_t count) {
    std::size_t end = 0;
    for (; count > 0 && end != std::string_view::npos; --count)
        end = text.find('\n', end + (end == 0 ? 0 : 1));
    return text.substr(0, end);
}

/// AddressSanitizer's name for what it found. The summary has it in one word, where the first line may begin
/// a sentence: "attempting double-free on …".
std::string_view address_kind(std::string_view first, std::string_view report) {
    constexpr std::string_view summary = "\nSUMMARY: AddressSanitizer: ";
    if (const std::size_t at = report.find(summary); at != std::string_view::npos)
        first = first_line(report.substr(at + summary.size()));
    return first.substr(0, first.find(' '));
}

} // namespace

std::optional<model::SanitizerFinding> read_sanitizer_report(const std::string& output,
                                                             const std::vector<std::string>& files) {
    constexpr std::string_view address = "ERROR: AddressSanitizer: ";
    constexpr std::string_view undefined = "runtime error: ";
    constexpr std::string_view race = "WARNING: ThreadSanitizer: ";
    const std::string cleared = without_addresses(output);
    const std::string_view text = cleared;

    model::SanitizerFinding finding;
    std::size_t begin = 0;
    if (const std::size_t at = text.find(address); at != std::string_view::npos) {
        begin = text.rfind('\n', at) + 1;
        finding.kind =
            std::string(address_kind(first_line(text.substr(at + address.size())), text.substr(begin))
                            .substr(0, longest_kind));
    } else if (const std::size_t warned = text.find(race); warned != std::string_view::npos) {
        begin = warned;
        const std::string_view words = first_line(text.substr(warned + race.size()));
        finding.kind = std::string(words.substr(0, words.find_last_not_of(' ') + 1).substr(0, longest_kind));
    } else if (const std::size_t other = text.find(undefined); other != std::string_view::npos) {
        finding.kind = std::string(first_line(text.substr(other + undefined.size())).substr(0, longest_kind));
        begin = text.rfind('\n', other) + 1;
    } else {
        return std::nullopt;
    }
    const std::string_view report = text.substr(begin);
    finding.text = first_lines(report, max_lines);
    for (const std::string& file : files)
        if (const int line = line_after(report, file); line > 0) {
            finding.file = file;
            finding.line = line;
            if (const std::size_t previous = report.find("\n  Previous "); previous != std::string_view::npos)
                finding.other_line = line_after(report.substr(previous), file);
            break;
        }
    return finding;
}

bool checked_build_ran_out_of_memory(const std::string& output) {
    return output.find("==AddressSanitizer: hard rss limit exhausted") != std::string::npos ||
           output.find("==ThreadSanitizer: hard rss limit exhausted") != std::string::npos;
}

} // namespace diagnosis

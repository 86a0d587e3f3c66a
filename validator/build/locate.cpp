#include "build/locate.h"

#include "text/nearest.h"
#include "text/utf8.h"

#include <algorithm>
#include <filesystem>

namespace build {
namespace {

constexpr std::size_t longest_source = 1000;

std::string shown_path(const std::string& name, const model::Submission& submission) {
    if (submission.shown_as.empty()) return name;
    if (submission.files.size() == 1) return submission.shown_as; // whatever the file is called itself
    return (std::filesystem::path(submission.shown_as).parent_path() / name).string();
}

bool is_part_of_name(char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_' ||
           (letter >= '0' && letter <= '9');
}

/// Where `name` stands as a whole word before a parenthesis; npos where it does not.
std::size_t find_function(std::string_view text, std::string_view name) {
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        const bool whole = at == 0 || !is_part_of_name(text[at - 1]);
        const std::size_t next = text.find_first_not_of(" \t", end);
        if (whole && next != std::string_view::npos && text[next] == '(') return at;
    }
    return std::string_view::npos;
}

/// Line `number` of `text`, from 1; empty where there is none.
std::string_view line_of(std::string_view text, int number) {
    for (; number > 1; --number) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    text = text.substr(0, text.find('\n'));
    if (text.ends_with('\r')) text.remove_suffix(1);
    return text;
}

/// False where no such place is.
bool place_at(model::Diagnostic& diagnostic, const std::string& name, const model::Submission& submission) {
    if (name.empty()) return false;
    for (const model::SourceFile& file : submission.files) {
        const std::size_t at = find_function(file.text, name);
        if (at == std::string::npos) continue;
        const auto begin = file.text.begin();
        const std::size_t line_start = at == 0 ? 0 : file.text.rfind('\n', at - 1) + 1; // npos + 1 is 0
        diagnostic.file = file.name;
        diagnostic.line =
            1 + static_cast<int>(std::count(begin, begin + static_cast<std::ptrdiff_t>(at), '\n'));
        diagnostic.column = 1 + static_cast<int>(at - line_start);
        return true;
    }
    return false;
}

/// "lookup" in "undefined reference to 'exercise::lookup(int)'", or empty.
std::string function_name(std::string_view message) {
    constexpr std::string_view anonymous = "(anonymous namespace)::";
    const std::size_t open = message.find('\'');
    if (open == std::string_view::npos) return "";
    std::string_view name = message.substr(open + 1);
    if (const std::size_t at = name.rfind(anonymous); at != std::string_view::npos)
        name.remove_prefix(at + anonymous.size());
    name = name.substr(0, name.find_first_of("(<'"));
    if (const std::size_t at = name.rfind("::"); at != std::string_view::npos) name.remove_prefix(at + 2);
    return std::string(name);
}

/// The column in `original` of what is at `column` of `changed`, a line in which one stretch was replaced; 0
/// where it lies in that stretch.
int original_column(std::string_view original, std::string_view changed, int column) {
    const auto at = static_cast<std::size_t>(std::max(column, 0));
    if (original == changed || at == 0) return column;
    const auto same =
        static_cast<std::size_t>(std::ranges::mismatch(original, changed).in1 - original.begin());
    if (at <= same) return column;
    const std::size_t shorter = std::min(original.size(), changed.size());
    std::size_t tail = 0;
    while (tail < shorter - same &&
           original[original.size() - 1 - tail] == changed[changed.size() - 1 - tail])
        ++tail;
    if (at + tail <= changed.size()) return 0;
    return static_cast<int>(at + original.size() - changed.size());
}

} // namespace

void show_places(std::vector<model::Diagnostic>& diagnostics, const model::Submission& submission) {
    for (model::Diagnostic& diagnostic : diagnostics) {
        const auto file = std::ranges::find(submission.files, diagnostic.file, &model::SourceFile::name);
        if (file == submission.files.end()) continue;
        if (diagnostic.line > 0)
            diagnostic.source = text::prefix(line_of(file->text, diagnostic.line), longest_source);
        diagnostic.file = shown_path(diagnostic.file, submission);
    }
}

void place_linked(std::vector<model::Diagnostic>& diagnostics, const std::vector<std::string>& defined,
                  const model::Submission& submission) {
    std::vector<std::string> own;
    own.reserve(defined.size());
    for (const std::string& symbol : defined)
        own.push_back(function_name("'" + symbol + "'"));
    for (model::Diagnostic& diagnostic : diagnostics) {
        if (diagnostic.line > 0) continue;
        const std::string wanted = function_name(diagnostic.message);
        if (!place_at(diagnostic, wanted, submission))
            place_at(diagnostic, text::nearest(wanted, own).value_or(""), submission);
    }
}

void correct_columns(std::vector<model::Diagnostic>& diagnostics, const std::string& file,
                     std::string_view original, std::string_view rewritten) {
    for (model::Diagnostic& diagnostic : diagnostics)
        if (diagnostic.file == file && diagnostic.line > 0)
            diagnostic.column = original_column(line_of(original, diagnostic.line),
                                                line_of(rewritten, diagnostic.line + 1), diagnostic.column);
}

} // namespace build

#include "catalogue/header.h"

#include <array>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "catalogue/lines.h"

namespace catalogue {
namespace {

constexpr std::string_view comment = "//";

struct Key {
    std::string_view word;
    bool optional = false;
};

constexpr std::array mistake_keys{Key{"Says"}, Key{"Hint"}, Key{"Symptom"}};
constexpr std::array witness_keys{Key{"Fault"}, Key{"Origin"}, Key{"Depth", true}};

/// The keys of a header, with their values, and where the code begins after them.
struct Header {
    std::array<std::string, 3> values;
    std::array<std::size_t, 3> lines{}; ///< of the values; 0: not given
    std::size_t end = 0;
    std::size_t line = 1;
};
using Keys = std::array<Key, 3>;

bool is_header(HeaderForm form, std::string_view line) {
    return form == HeaderForm::plain ? !line.starts_with("--- ") : line.starts_with(comment);
}

/// The line without what marks it as a comment.
std::string_view content(HeaderForm form, std::string_view line) {
    if (form == HeaderForm::plain) return line;
    line.remove_prefix(comment.size());
    if (line.starts_with(' ')) line.remove_prefix(1);
    return line;
}

std::optional<std::size_t> find_key(const Keys& keys, std::string_view line) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const std::string_view word = keys.at(i).word;
        if (line.starts_with(word) && line.substr(word.size()).starts_with(':')) return i;
    }
    return std::nullopt;
}

/// "Says, Hint, Symptom"
std::string words_of(const Keys& keys) {
    std::string text;
    for (const Key& key : keys)
        text += (text.empty() ? "" : ", ") + std::string(key.word);
    return text;
}

/// `text` in lines that begin with `mark`, from the second on with a blank more.
std::string folded(const std::string& text, const std::string& mark) {
    constexpr std::size_t max_width = 118;
    std::string lines;
    std::string line = mark;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        if (line.size() > mark.size() && line.size() + 1 + word.size() > max_width) {
            lines += line + "\n";
            line = mark;
        }
        // The blank goes before each word but the first, so that a line that goes on begins with one.
        line += (lines.empty() && line == mark ? "" : " ") + word;
    }
    return lines + line + "\n";
}

Header read_header(const Source& source, HeaderForm form, const Keys& keys) {
    Header header;
    std::string* current = nullptr;
    std::istringstream stream(source.text);
    for (std::string line; std::getline(stream, line) && is_header(form, line); ++header.line) {
        if (line.ends_with('\r')) fail(source, header.line, "the line ends with CR LF; it must end with LF");
        header.end += line.size() + 1;
        const std::string_view text = content(form, line);
        if (const auto found = find_key(keys, text)) {
            const std::string word(keys.at(*found).word);
            std::size_t& first = header.lines.at(*found);
            if (first != 0) fail(source, header.line, "\"" + word + "\" is given twice");
            first = header.line;
            current = &header.values.at(*found);
            *current = trimmed(std::string(text.substr(word.size() + 1)));
        } else if (current != nullptr && text.starts_with(' ')) {
            *current = trimmed(*current + " " + trimmed(std::string(text)));
        } else {
            fail(source, header.line,
                 "the header has neither one of " + words_of(keys) +
                     " here, nor a space that continues a value");
        }
    }
    if (header.end > source.text.size()) header.end = source.text.size(); // the last line had no end
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const std::string word(keys.at(i).word);
        if (header.lines.at(i) == 0 && !keys.at(i).optional)
            fail(source, header.line, "the header ends without \"" + word + ": …\"");
        if (header.lines.at(i) != 0 && header.values.at(i).empty())
            fail(source, header.lines.at(i), "\"" + word + "\" is empty");
    }
    return header;
}

} // namespace

MistakeHeader read_mistake_header(const Source& source, HeaderForm form) {
    Header header = read_header(source, form, mistake_keys);
    auto& [says, hint, symptom] = header.values;
    return {std::move(says), std::move(hint), std::move(symptom), header.end, header.line};
}

WitnessHeader read_witness_header(const Source& source, HeaderForm form) {
    Header header = read_header(source, form, witness_keys);
    auto& [fault, origin, depth] = header.values;
    if (!depth.empty() && depth != "thorough")
        fail(source, header.lines.back(),
             "\"Depth\" must be \"thorough\", or left out (got \"" + depth + "\")");
    return {std::move(fault), std::move(origin), !depth.empty(), header.end, header.line};
}

std::string write_mistake_header(const MistakeHeader& header, HeaderForm form) {
    const std::string mark = form == HeaderForm::plain ? "" : "// ";
    const std::array values{&header.says, &header.hint, &header.symptom};
    std::string text;
    for (std::size_t i = 0; i < values.size(); ++i)
        text += folded(std::string(mistake_keys.at(i).word) + ": " + *values.at(i), mark);
    return text;
}

std::string read_accepted_header(const Source& source) {
    constexpr std::string_view beginning = "// accepted:";
    std::string line = source.text.substr(0, source.text.find('\n') + 1);
    if (!line.starts_with(beginning) || trimmed(line.substr(beginning.size())).empty())
        fail(source, 1, "the file must begin with \"// accepted: how it differs from the reference\"");
    return line;
}

} // namespace catalogue

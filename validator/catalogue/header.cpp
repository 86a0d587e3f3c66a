#include "catalogue/header.h"

#include <array>
#include <sstream>
#include <string_view>

#include "catalogue/lines.h"

namespace catalogue {
namespace {

constexpr std::string_view comment = "//";

struct Key {
    std::string_view word;
    std::string MistakeHeader::*value;
};

constexpr std::array keys{Key{"Says", &MistakeHeader::says}, Key{"Hint", &MistakeHeader::hint},
                          Key{"Symptom", &MistakeHeader::symptom}};

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

const Key* find_key(std::string_view line) {
    for (const Key& key : keys)
        if (line.starts_with(key.word) && line.substr(key.word.size()).starts_with(':')) return &key;
    return nullptr;
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

} // namespace

MistakeHeader read_mistake_header(const Source& source, HeaderForm form) {
    MistakeHeader header;
    std::array<std::size_t, keys.size()> given{}; // in which line
    std::string* current = nullptr;
    std::istringstream stream(source.text);
    for (std::string line; std::getline(stream, line) && is_header(form, line); ++header.line) {
        if (line.ends_with('\r')) fail(source, header.line, "the line ends with CR LF; it must end with LF");
        header.end += line.size() + 1;
        const std::string_view text = content(form, line);
        if (const Key* key = find_key(text)) {
            std::size_t& first = given.at(static_cast<std::size_t>(key - keys.data()));
            if (first != 0) fail(source, header.line, "\"" + std::string(key->word) + "\" is given twice");
            first = header.line;
            current = &(header.*key->value);
            *current = trimmed(std::string(text.substr(key->word.size() + 1)));
        } else if (current != nullptr && text.starts_with(' ')) {
            *current = trimmed(*current + " " + trimmed(std::string(text)));
        } else {
            fail(
                source, header.line,
                "the header has neither one of Says, Hint, Symptom here, nor a space that continues a value");
        }
    }
    if (header.end > source.text.size()) header.end = source.text.size(); // the last line had no end
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const std::string word(keys.at(i).word);
        if (given.at(i) == 0) fail(source, header.line, "the header ends without \"" + word + ": …\"");
        if ((header.*keys.at(i).value).empty()) fail(source, given.at(i), "\"" + word + "\" is empty");
    }
    return header;
}

std::string write_mistake_header(const MistakeHeader& header, HeaderForm form) {
    const std::string mark = form == HeaderForm::plain ? "" : "// ";
    std::string text;
    for (const Key& key : keys)
        text += folded(std::string(key.word) + ": " + header.*key.value, mark);
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

#include "catalogue/code_header.h"

#include <algorithm>
#include <array>
#include <map>
#include <sstream>

#include "catalogue/catalogue.h"
#include "catalogue/lines.h"
#include "model/errors.h"

namespace catalogue {
namespace {

constexpr std::array keys{"mistake", "says", "hint", "symptom", "fails"};
constexpr const char* optional_key = "finds";

/// What the header says of a key, and in which line.
struct Value {
    std::string text;
    std::size_t line = 0;
};

[[noreturn]] void fail(const Source& source, std::size_t line, const std::string& what) {
    throw model::ContentError(source.name, "line " + std::to_string(line) + ":", what);
}

bool is_key(const std::string& word) {
    return word == optional_key || std::find(keys.begin(), keys.end(), word) != keys.end();
}

std::map<std::string, Value> read_header(const Source& source) {
    std::map<std::string, Value> header;
    Value* current = nullptr;
    std::size_t number = 0;
    std::istringstream stream(source.text);
    for (std::string line; next_line(stream, line) && line.starts_with("//");) {
        ++number;
        const std::size_t colon = line.find(':');
        const std::string key = trimmed(line.substr(2, colon == std::string::npos ? colon : colon - 2));
        if (line.starts_with("//   ") && current) {
            current->text = trimmed(current->text + " " + trimmed(line.substr(2)));
        } else if (colon != std::string::npos && is_key(key)) {
            if (header.contains(key)) fail(source, number, "\"" + key + "\" is given twice");
            current = &header[key];
            *current = {trimmed(line.substr(colon + 1)), number};
        } else {
            fail(source, number,
                 "the header has neither one of mistake, says, hint, symptom, fails here, nor three blanks "
                 "to go on "
                 "with a value");
        }
    }
    for (const std::string key : keys) {
        if (!header.contains(key)) fail(source, number + 1, "the header ends without \"// " + key + ": …\"");
        if (header.at(key).text.empty()) fail(source, header.at(key).line, "\"" + key + "\" is empty");
    }
    return header;
}

std::vector<std::string> items(const std::string& text) {
    std::vector<std::string> list;
    std::istringstream stream(text);
    for (std::string item; std::getline(stream, item, ';');)
        list.push_back(trimmed(item));
    return list;
}

std::vector<std::string> test_names(const Source& source, const Value& fails,
                                    const std::vector<model::TestSpec>& tests) {
    std::vector<std::string> known, names;
    for (const model::TestSpec& test : tests)
        known.push_back(test.name);
    for (const std::string& name : items(fails.text)) {
        if (std::find(names.begin(), names.end(), name) != names.end())
            fail(source, fails.line, "fails names \"" + name + "\" twice");
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            const auto meant = nearest(name, known);
            fail(source, fails.line,
                 "fails names \"" + name + "\", which is no test of problem.json" +
                     (meant ? ", did you mean \"" + *meant + "\"?" : ""));
        }
        names.push_back(name);
    }
    return names;
}

} // namespace

model::Mistake read_mistake(const Source& source, const std::filesystem::path& file,
                            const std::vector<model::TestSpec>& tests) {
    const auto header = read_header(source);
    model::Mistake mistake;
    mistake.name = header.at("mistake").text;
    if (mistake.name != file.stem().string())
        fail(source, header.at("mistake").line,
             "mistake must be the file's name (got \"" + mistake.name + "\")");
    mistake.file = file;
    mistake.says = header.at("says").text;
    mistake.hint = header.at("hint").text;
    mistake.symptom = header.at("symptom").text;
    mistake.fails = test_names(source, header.at("fails"), tests);
    if (header.contains(optional_key)) mistake.finds = items(header.at(optional_key).text);
    return mistake;
}

void check_accepted(const Source& source) {
    constexpr std::string_view beginning = "// accepted:";
    std::istringstream stream(source.text);
    std::string line;
    if (!next_line(stream, line) || !line.starts_with(beginning) ||
        trimmed(line.substr(beginning.size())).empty())
        fail(source, 1, "the file must begin with \"// accepted: how it differs from the reference\"");
}

} // namespace catalogue

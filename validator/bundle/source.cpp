#include "bundle/source.h"

#include "reader/tokens.h"

#include <cctype>
#include <string_view>

namespace bundle {
namespace {

/// The preprocessor lines of a text, without blanks: `#include<cmath>`.
std::vector<std::string> directives_of(const std::string& text) {
    std::vector<std::string> lines;
    int line = 0;
    for (const reader::Token& token : reader::tokenize(text)) {
        if (!token.directive || token.kind == reader::TokenKind::blank) continue;
        if (lines.empty() || token.line != line) lines.emplace_back();
        line = token.line;
        lines.back() += token.text;
    }
    return lines;
}

} // namespace

Source::Source(const std::string& all)
    : text(all), words(reader::read_words(all)), places(places_of(words, reader::functions_of(all))),
      declarations(reader::declarations_of(words)), stateful(reader::keeps_state(words, declarations)) {
    constexpr std::string_view include = "#include";
    for (const std::string& line : directives_of(all)) {
        const char opens = line.size() > include.size() ? line[include.size()] : ' ';
        if (line.starts_with(include) && (opens == '<' || opens == '"'))
            includes.insert(line.substr(include.size()));
        else
            other_directives = true;
    }
}

} // namespace bundle

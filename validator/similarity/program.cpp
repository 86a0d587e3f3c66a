#include "similarity/program.h"

#include "reader/tokens.h"

#include <algorithm>
#include <map>
#include <utility>

namespace similarity {
namespace {

bool is_printable(char letter) {
    return letter > ' ' && letter <= '~';
}

std::string line_of(const Program& program, const Place& place) {
    const std::string_view token =
        std::string_view(program.text).substr(place.begin, place.end - place.begin);
    if (token.find('"') != std::string_view::npos) return "\"\"";
    if (token.find('\'') == 0) return "'a'";
    std::string line;
    for (const char letter : token)
        line += is_printable(letter) ? letter : '_';
    return line;
}

/// Tokens hold no line ends outside of raw strings, which keep theirs in both programs.
std::string tokens_of(const Program& program) {
    std::string text;
    for (const Place& place : program.tokens)
        text += program.text.substr(place.begin, place.end - place.begin) + "\n";
    return text;
}

} // namespace

bool Program::is(Origin origin) const {
    return std::ranges::find(origins, origin) != origins.end();
}

Program read_program(const std::string& name, Origin origin, const std::vector<model::SourceFile>& files) {
    Program program{{name}, {origin}, {}, {}};
    for (const model::SourceFile& file : files)
        program.text += file.text + (file.text.ends_with('\n') ? "" : "\n");
    std::uint32_t at = 0;
    for (const reader::Token& token : reader::tokenize(program.text)) {
        const auto end = at + static_cast<std::uint32_t>(token.text.size());
        if (token.kind != reader::TokenKind::blank && !token.directive) program.tokens.push_back({at, end});
        at = end;
    }
    return program;
}

std::string tokens_as_lines(const Program& program) {
    std::string lines;
    for (const Place& place : program.tokens)
        lines += line_of(program, place) + "\n";
    return lines;
}

std::vector<Program> merge_equal(std::vector<Program> programs) {
    std::vector<Program> merged;
    std::map<std::string, std::size_t> known;
    for (Program& program : programs) {
        const auto [at, is_new] = known.emplace(tokens_of(program), merged.size());
        if (is_new) {
            merged.push_back(std::move(program));
            continue;
        }
        Program& first = merged[at->second];
        first.names.insert(first.names.end(), program.names.begin(), program.names.end());
        first.origins.insert(first.origins.end(), program.origins.begin(), program.origins.end());
    }
    return merged;
}

} // namespace similarity

#include "diagnosis/missing_includes.h"

#include "diagnosis/std_headers.h"
#include "reader/tokens.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace diagnosis {
namespace {

using reader::Token;
using reader::TokenKind;

/// Names that come with so many headers that a missing one is never noticed.
constexpr auto everywhere = std::to_array<std::string_view>({"utility"});
/// Headers whose functions are called without `std::` as well.
constexpr auto of_c = std::to_array<std::string_view>({"cstring", "cstdio", "cmath"});
/// What nvcc includes before the first line.
constexpr auto with_cuda = std::to_array<std::string_view>({"cmath", "cstring", "cstdio", "cstdlib"});

struct Substitute {
    std::string_view header;
    std::string_view also;
};

/// Headers that bring another one's names with every compiler.
constexpr std::array<Substitute, 8> substitutes{{
    {"string", "iostream"},
    {"string", "sstream"},
    {"string_view", "string"},
    {"iostream", "ostream"},
    {"cmath", "cstdlib"},
    {"cmath", "complex"},
    {"stdexcept", "iostream"},
    {"thread", "future"},
}};

template <typename List>
bool contains(const List& list, std::string_view word) {
    return std::ranges::find(list, word) != std::end(list);
}

bool has(const std::set<std::string>& headers, const std::string& header) {
    if (headers.contains(header)) return true;
    if (header.starts_with('c') && headers.contains(header.substr(1) + ".h")) return true; // <string.h>
    return std::ranges::any_of(substitutes, [&](const Substitute& row) {
        return row.header == header && headers.contains(std::string(row.also));
    });
}

std::vector<Token> significant(std::string_view source) {
    std::vector<Token> tokens = reader::tokenize(source);
    std::erase_if(tokens, [](const Token& token) { return token.kind == TokenKind::blank; });
    return tokens;
}

/// "vector" of `#include <vector>`: the tokens between the brackets, put together.
void add_includes(const std::vector<Token>& tokens, std::set<std::string>& headers) {
    for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
        if (!tokens[i].directive || !tokens[i].is("include") || !tokens[i + 1].is("<")) continue;
        std::string name;
        for (std::size_t at = i + 2; at < tokens.size() && tokens[at].directive && !tokens[at].is(">"); ++at)
            name += tokens[at].text;
        headers.insert(name);
    }
}

/// Functions that the file itself declares, `float exp(`: a name after a name that is no word of a statement.
std::set<std::string_view> own_functions(const std::vector<Token>& tokens) {
    constexpr auto statements = std::to_array<std::string_view>({"return", "else", "do", "case", "throw"});
    std::set<std::string_view> names;
    for (std::size_t i = 1; i + 1 < tokens.size(); ++i)
        if (tokens[i].kind == TokenKind::identifier && tokens[i + 1].is("(") &&
            tokens[i - 1].kind == TokenKind::identifier && !contains(statements, tokens[i - 1].text))
            names.insert(tokens[i].text);
    return names;
}

/// The header of the name at place `i`, where that is a name of the standard library.
std::optional<std::string> header_at(const std::vector<Token>& tokens, std::size_t i,
                                     const std::set<std::string_view>& own) {
    if (tokens[i].directive || tokens[i].kind != TokenKind::identifier) return std::nullopt;
    const auto header = header_of(tokens[i].text);
    if (!header || contains(everywhere, *header)) return std::nullopt;
    const auto before = [&](std::size_t back) { return i >= back ? tokens[i - back].text : ""; };
    const bool scoped = before(1) == "::";
    const bool of_ranges = scoped && before(2) == "ranges" && before(3) == "::" && before(4) == "std";
    if (of_ranges || (scoped && before(2) == "std")) return std::string(*header);
    const bool called = i + 1 < tokens.size() && tokens[i + 1].is("(");
    const bool member = before(1) == "." || before(1) == "->" || scoped;
    if (!called || member || !contains(of_c, *header) || own.contains(tokens[i].text)) return std::nullopt;
    return std::string(*header);
}

/// Line and column of a token, and the line itself.
model::Diagnostic at(const model::SourceFile& file, const std::string& shown_as, const Token& token) {
    const auto offset = static_cast<std::size_t>(token.text.data() - file.text.data());
    const std::size_t begin = offset == 0 ? 0 : file.text.rfind('\n', offset - 1) + 1;
    return {.file = shown_as,
            .line = token.line,
            .column = static_cast<int>(offset - begin) + 1,
            .severity = model::Severity::warning,
            .message = {},
            .explanation = {},
            .source = file.text.substr(begin, file.text.find('\n', offset) - begin),
            .nearest = {}};
}

} // namespace

std::vector<model::Diagnostic> missing_includes(const model::Submission& submission,
                                                const std::set<std::string>& provided) {
    std::set<std::string> headers = provided;
    if (provided.contains("cuda_runtime.h")) headers.insert(with_cuda.begin(), with_cuda.end());
    for (const model::SourceFile& file : submission.files)
        add_includes(significant(file.text), headers);
    std::vector<model::Diagnostic> found;
    for (const model::SourceFile& file : submission.files) {
        const std::vector<Token> tokens = significant(file.text);
        const std::set<std::string_view> own = own_functions(tokens);
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            const auto header = header_at(tokens, i, own);
            if (!header || has(headers, *header)) continue;
            headers.insert(*header); // once is enough
            const std::string& shown = submission.files.size() == 1 ? submission.shown_as : file.name;
            model::Diagnostic& warning = found.emplace_back(at(file, shown, tokens[i]));
            warning.message = "<" + *header + "> is not included";
            warning.explanation = std::string(tokens[i].text) + " comes from <" + *header +
                                  ">, which is not included: it happens to compile here because another "
                                  "header includes it. Add `#include <" +
                                  *header + ">` at the top of the file.";
        }
    }
    return found;
}

} // namespace diagnosis

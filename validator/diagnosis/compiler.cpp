#include "diagnosis/compiler.h"

#include "diagnosis/compiler_rows.h"
#include "diagnosis/odd_characters.h"
#include "diagnosis/std_headers.h"
#include "diagnosis/undefined.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace diagnosis {
namespace {

using model::Diagnostic;

/// g++ says which standard name is missing, clang++ likewise in three wordings.
constexpr std::array<std::string_view, 5> missing_std_names{
    "'*' is not a member of 'std'", "'*' in namespace 'std' does not name a *type",
    "no member named '*' in namespace 'std'", "no type named '*' in namespace 'std'",
    "no template named '*' in namespace 'std'"};

/// Removes "{aka …}" and "(aka '…')", which spell the same type out.
void remove_between(std::string& text, std::string_view opening, std::string_view closing) {
    for (std::size_t at = text.find(opening); at != std::string::npos; at = text.find(opening, at)) {
        const std::size_t end = text.find(closing, at);
        if (end == std::string::npos) return;
        text.erase(at, end + closing.size() - at);
    }
}

std::string plain(std::string text) {
    for (const std::string_view quotation : {"‘", "’", "`"})
        replace_all(text, quotation, "'");
    remove_between(text, " {aka '", "'}");
    remove_between(text, " (aka '", "')");
    return text;
}

std::string missing_std_name(const std::string& name) {
    if (const auto header = header_of(name))
        return "std::" + name + " is not known yet: add `#include <" + std::string(*header) +
               ">` at the top of the file.";
    if (const auto near = nearest_std_name(name))
        return "There is no std::" + name + ": did you mean std::" + *near + "?";
    return "There is no std::" + name +
           " in the headers included so far: check its spelling, or include its header.";
}

/// A name that the contract's headers know, or nearly.
std::string known_to_contract(const Diagnostic& diagnostic, const std::string& text) {
    const std::size_t open = text.find('\'');
    if (diagnostic.nearest.empty() || open == std::string::npos) return "";
    const std::string name = text.substr(open + 1, text.find('\'', open + 1) - open - 1);
    if (name == diagnostic.nearest)
        return name +
               " comes with contract.h, but it is not known here: is contract.h included, and is this code "
               "inside `namespace exercise { … }`, spelt exactly like that?";
    if (text.find("did you mean") != std::string::npos) return "";
    return "The name " + name + " is not known here: did you mean " + diagnostic.nearest + "?";
}

/// The message belongs to a library header; `diagnostic` stands at the learner's line that led there.
std::string refused_by_library(const std::string& text) {
    const std::size_t inside = text.rfind(" (inside ");
    if (inside == std::string::npos || !text.ends_with(')')) return "";
    const std::string said = text.substr(0, inside);
    if (const auto types = match(said, "cannot convert '*' to '*'"))
        return "The library function called in this line cannot turn " + readable_signature((*types)[0]) +
               " into " + readable_signature((*types)[1]) + ": check the element types on both sides.";
    constexpr std::size_t longest = 160;
    return "What this line hands to the standard library does not fit there: check the types of the "
           "arguments" +
           (said.size() > longest ? "." : " (" + said + ").");
}

constexpr std::string_view blanks = " \t";

/// The characters around the marked place; blanks do not count, and NUL stands for none.
struct Neighbours {
    char before = 0;
    char at = 0;
};

Neighbours neighbours(const Diagnostic& diagnostic) {
    Neighbours found;
    if (diagnostic.column <= 0) return found;
    const auto column = static_cast<std::size_t>(diagnostic.column) - 1;
    const std::string_view source = diagnostic.source;
    if (column < source.size()) found.at = source[column];
    const std::size_t last = source.substr(0, column).find_last_not_of(blanks);
    if (last != std::string_view::npos) found.before = source[last];
    return found;
}

std::string stray_comma(const Diagnostic& diagnostic, const std::string& text) {
    constexpr auto complaints = std::to_array<std::string_view>(
        {"expected primary-expression before", "expected identifier before", "expected unqualified-id",
         "expected expression", "expected parameter declarator"});
    if (std::ranges::none_of(complaints, [&](std::string_view words) { return text.starts_with(words); }))
        return "";
    const Neighbours near = neighbours(diagnostic);
    if (near.before == ',' || (near.at == ',' && near.before == '('))
        return "There is a comma `,` too many here, or something is missing after it.";
    return "";
}

/// A statement where only declarations may be.
std::string outside_functions(const Diagnostic& diagnostic, const std::string& text) {
    if (!text.starts_with("expected unqualified-id") || diagnostic.column <= 0) return "";
    const std::string_view source = diagnostic.source;
    const auto column = static_cast<std::size_t>(diagnostic.column) - 1;
    for (const std::string_view word : {"return", "if", "for", "while", "do", "switch"})
        if (column < source.size() && source.substr(column).starts_with(word))
            return "This `" + std::string(word) +
                   "` is outside every function: does a `}` further up close one too early?";
    return "";
}

/// "if (ids.empty() return": GCC takes what is in front of the place for a declaration in the condition.
std::string missing_parenthesis(const Diagnostic& diagnostic, const std::string& text) {
    if (!text.starts_with("expected ';'") || diagnostic.column <= 0) return "";
    const std::string_view before =
        std::string_view(diagnostic.source).substr(0, static_cast<std::size_t>(diagnostic.column) - 1);
    const std::size_t first = before.find_first_not_of(blanks);
    if (first == std::string_view::npos || std::ranges::count(before, '(') <= std::ranges::count(before, ')'))
        return "";
    for (const std::string_view word : {"if", "while", "switch", "else if", "} else if"})
        if (before.substr(first).starts_with(word))
            return "A closing parenthesis `)` is missing here or just before.";
    return "";
}

std::string missing_semicolon(const Diagnostic& diagnostic, const std::string& text) {
    const std::string_view source = diagnostic.source;
    const std::size_t first = source.find_first_not_of(blanks);
    // Without the semicolon, "n = f()" goes on in the next line's "(void)x".
    if (first != std::string_view::npos && source.substr(first).starts_with("(void)") &&
        (text.starts_with("expected primary-expression before 'void'") ||
         text.starts_with("expected '(' for function-style cast")))
        return "A semicolon `;` is missing at the end of the line before.";
    if (!text.starts_with("expected ';'") && !text.starts_with("expected ',' or ';'")) return "";
    const auto column = static_cast<std::size_t>(std::max(diagnostic.column, 1)) - 1;
    if (source.empty() || diagnostic.column <= 0)
        return "A semicolon `;` is missing here or at the end of the line before.";
    if (column > source.find_last_not_of(blanks))
        return "A semicolon `;` is missing at the end of this line.";
    if (column <= first) return "A semicolon `;` is missing at the end of the line before.";
    return "A semicolon `;` is missing just before this place.";
}

std::string missing_from_link(const std::string& text, const std::vector<std::string>& defined) {
    if (text.starts_with("undefined reference to 'omp_"))
        return "Programs are built without OpenMP here: start threads with std::thread.";
    if (const auto parts = match(text, "undefined reference to '*' from *"))
        return missing_helper(parts->front(), defined);
    if (const auto parts = match(text, "undefined reference to '*'"))
        return missing_function(parts->front(), defined);
    return "";
}

std::string missing_from_std(const std::string& text) {
    for (const std::string_view pattern : missing_std_names)
        if (const auto name = match(text, pattern)) return missing_std_name(name->front());
    return "";
}

} // namespace

std::string explain(const Diagnostic& diagnostic, const std::vector<std::string>& defined) {
    if (!diagnostic.explanation.empty()) return diagnostic.explanation;
    const std::string text = plain(diagnostic.message);
    for (const std::string& words :
         {odd_character(diagnostic.message), missing_from_link(text, defined), missing_from_std(text),
          known_to_contract(diagnostic, text), refused_by_library(text), stray_comma(diagnostic, text),
          outside_functions(diagnostic, text), missing_parenthesis(diagnostic, text),
          missing_semicolon(diagnostic, text)})
        if (!words.empty()) return words;
    return words_for(text);
}

} // namespace diagnosis

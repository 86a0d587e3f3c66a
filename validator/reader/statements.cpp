#include "reader/statements.h"

#include <set>
#include <string_view>

namespace reader {
namespace {

/// The word at `i`, or the bracket that closes what opens there.
std::size_t past_brackets(const std::vector<Word>& words, std::size_t i) {
    return words[i].partner > i ? words[i].partner : i;
}

/// Whether a type may end with word `i`. References and pointers stand next to it, as the formatter sets
/// them.
bool could_end_type(const std::vector<Word>& words, std::size_t i) {
    static const std::set<std::string_view> no_type{"return",   "throw",    "new",       "delete", "sizeof",
                                                    "co_await", "co_yield", "co_return", "not",    "case"};
    const Word& word = words[i];
    if (word.identifier) return !no_type.contains(word.text);
    if (word.text == "*" || word.text == "&" || word.text == "&&")
        return i > 0 && words[i - 1].end() == word.offset;
    return word.text == ")" || word.template_angle;
}

} // namespace

bool begins_statement(const std::vector<Word>& words, std::size_t i) {
    if (i == 0) return false;
    const Word& left = words[i - 1];
    if (left.text == ";" || left.text == "{" || left.text == "}" || left.text == "else") return true;
    static const std::set<std::string_view> control{"if", "for", "while", "constexpr"};
    return left.text == ")" && left.partner > 0 && control.contains(words[left.partner - 1].text);
}

bool in_for_header(const std::vector<Word>& words, std::size_t i) {
    int depth = 0;
    for (std::size_t k = i; k-- > 0;) {
        const std::string_view text = words[k].text;
        if (text == ")" || text == "]" || text == "}") ++depth;
        if (text == "{" || text == "[" || text == "(") {
            if (depth-- > 0) continue;
            return text == "(";
        }
    }
    return false;
}

std::size_t semicolon_after(const std::vector<Word>& words, std::size_t i) {
    for (std::size_t k = i; k < words.size(); ++k) {
        const Word& word = words[k];
        if (word.text == ";") return k;
        if (word.text == ")" || word.text == "}") return 0;
        if (word.text == "(" || word.text == "[" || word.text == "{") k = past_brackets(words, k);
    }
    return 0;
}

std::size_t end_of_statement(const std::vector<Word>& words, std::size_t i) {
    static const std::set<std::string_view> no_plain{
        "if",       "for",  "while", "do",      "switch", "using",  "case",  "default", "else",
        "template", "auto", "const", "typedef", "static", "struct", "class", "enum",    "try"};
    const Word& first = words[i];
    if (no_plain.contains(first.text)) return 0;
    if (!first.identifier && first.text != "(" && first.text != "*" && first.text != "++" &&
        first.text != "--")
        return 0;
    return semicolon_after(words, i);
}

bool could_declare(const std::vector<Word>& words, std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; k = past_brackets(words, k) + 1)
        if (k > first && words[k].identifier && could_end_type(words, k - 1)) return true;
    return false;
}

Arithmetic arithmetic_type(const std::vector<Word>& words, std::size_t first, std::size_t last) {
    static const std::set<std::string_view> real{"float", "double"};
    static const std::set<std::string_view> whole{
        "bool",    "char",    "short",   "int",     "long",     "signed",   "unsigned", "size_t",   "int8_t",
        "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "ptrdiff_t"};
    Arithmetic type;
    bool is_real = false;
    for (std::size_t k = first; k < last; ++k) {
        const std::string_view text = words[k].text;
        if (text == "const") {
            type.constant = true;
            continue;
        }
        const bool qualified = text == "std" && k + 1 < last && words[k + 1].text == "::";
        if (!qualified && text != "::" && !real.contains(text) && !whole.contains(text)) return {};
        is_real = is_real || real.contains(text);
        if (!type.name.empty() && text != "::" && words[k - 1].text != "::") type.name += ' ';
        type.name += text;
    }
    type.integer = !is_real;
    return type;
}

} // namespace reader

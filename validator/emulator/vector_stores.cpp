#include "emulator/vector_stores.h"

#include <algorithm>

namespace emulator {

namespace {

/// float4, uint2 and their like.
bool names_vector(std::string_view name) {
    static constexpr std::string_view elements[] = {"char",      "uchar", "short", "ushort",
                                                    "int",       "uint",  "long",  "longlong",
                                                    "ulonglong", "float", "double"};
    if (name.empty() || name.back() < '2' || name.back() > '4') return false;
    name.remove_suffix(1);
    return std::find(std::begin(elements), std::end(elements), name) != std::end(elements);
}

/// Whether the value that begins at `i` puts a vector together.
bool makes_vector(const reader::TokenView& tokens, std::size_t i) {
    if (tokens.is(i, "{")) return true;
    if (!tokens.is_identifier(i)) return false;
    const std::string_view name = tokens[i].text;
    if (name.starts_with("make_")) return tokens.is(i + 1, "(") && names_vector(name.substr(5));
    return (tokens.is(i + 1, "{") || tokens.is(i + 1, "(")) && names_vector(name);
}

bool ends_statement(const reader::TokenView& tokens, std::size_t i) {
    return tokens.is(i, ";") || tokens.is(i, "{") || tokens.is(i, "}") || tokens.is(i, ")") ||
           tokens.is(i, "else") || tokens.is(i, "do");
}

/// The first token of what is assigned to by the `=` at `equals`; no_token if that declares, or cannot be
/// told.
std::size_t target_begin(const reader::TokenView& tokens, std::size_t equals) {
    std::size_t i = equals;
    for (;;) {
        if (i == 0) return reader::no_token;
        --i; // the last token of a part of the expression
        while (tokens.is(i, "]") || tokens.is(i, ")")) {
            if (tokens.partner(i) == reader::no_token || tokens.partner(i) == 0) return reader::no_token;
            const bool element = tokens.is(i, "]");
            i = tokens.partner(i);
            if (!element && (ends_statement(tokens, i - 1) || tokens.is(i - 1, "*"))) break;
            --i;
        }
        if (tokens.is(i, ">")) {
            i = tokens.open_angle(i);
            if (i == reader::no_token || i == 0) return reader::no_token;
            --i;
        }
        if (!tokens.is_identifier(i) && !tokens.is(i, "(")) return reader::no_token;
        const bool goes_on = tokens.is(i - 1, ".") || tokens.is(i - 1, "->") || tokens.is(i - 1, "::");
        if (!goes_on) break;
        --i;
    }
    while (i > 0 && tokens.is(i - 1, "*"))
        --i;
    return i > 0 && ends_statement(tokens, i - 1) ? i : reader::no_token;
}

} // namespace

void rewrite_vector_stores(const reader::TokenView& tokens, const reader::Outline& outline, Edits& edits) {
    for (const reader::Outline::Function& function : outline.functions) {
        for (std::size_t i = function.open + 1; function.device && i < function.close; ++i) {
            if (!tokens.is(i, "=") || tokens[i].directive || !makes_vector(tokens, i + 1)) continue;
            const std::size_t opens = tokens.is(i + 1, "{") ? i + 1 : i + 2;
            if (tokens.partner(opens) == reader::no_token || !tokens.is(tokens.partner(opens) + 1, ";"))
                continue;
            const std::size_t begin = target_begin(tokens, i);
            if (begin == reader::no_token) continue;
            edits.replace(begin, "::cuda_emulator::assign(" + edits.flat(begin, begin + 1));
            edits.replace(i, ",");
            edits.replace(tokens.partner(opens) + 1, ");");
        }
    }
}

} // namespace emulator

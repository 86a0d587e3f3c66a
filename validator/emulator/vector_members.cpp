#include "emulator/vector_members.h"

#include <set>

namespace emulator {

namespace {

bool selects(const reader::TokenView& tokens, std::size_t i) {
    return tokens.is(i, ".") || tokens.is(i, "->");
}

bool names_component(const reader::TokenView& tokens, std::size_t i) {
    return tokens.is(i, "x") || tokens.is(i, "y") || tokens.is(i, "z") || tokens.is(i, "w");
}

/// The first token of the expression whose member is selected at `dot`; no_token where that cannot be told,
/// or is a value that a function returned, which has no place in memory that others see.
std::size_t owner_begin(const reader::TokenView& tokens, std::size_t dot) {
    std::size_t i = dot;
    for (;;) {
        if (i == 0) return reader::no_token;
        --i;
        while (tokens.is(i, "]") || tokens.is(i, ")")) {
            const bool directly = tokens.is(i, ")") && i + 1 == dot;
            const bool call = tokens.is(i, ")");
            i = tokens.partner(i);
            if (i == reader::no_token || i == 0) return reader::no_token;
            const bool of_something = tokens.is_identifier(i - 1) || tokens.is(i - 1, ">") ||
                                      tokens.is(i - 1, "]") || tokens.is(i - 1, ")");
            if (call && !of_something) return i;
            if (directly || !of_something) return reader::no_token;
            --i;
        }
        if (tokens.is(i, ">")) {
            i = tokens.open_angle(i);
            if (i == reader::no_token || i == 0) return reader::no_token;
            --i;
        }
        if (!tokens.is_identifier(i) || i == 0) return reader::no_token;
        if (!selects(tokens, i - 1) && !tokens.is(i - 1, "::")) return i;
        --i;
    }
}

/// Names that a function declares as references, in its parameters or its body.
std::set<std::string_view> references(const reader::TokenView& tokens,
                                      const reader::Outline::Function& function) {
    std::set<std::string_view> names;
    for (std::size_t i = function.declared; i < function.close; ++i)
        if (tokens.is(i, "&") && tokens.is_identifier(i + 1)) names.insert(tokens[i + 1].text);
    return names;
}

} // namespace

void rewrite_vector_members(const reader::TokenView& tokens, const reader::Outline& outline, Edits& edits) {
    for (const reader::Outline::Function& function : outline.functions) {
        if (!function.device) continue;
        const std::set<std::string_view> shared_names = references(tokens, function);
        for (std::size_t i = function.open + 1; i + 1 < function.close; ++i) {
            if (!selects(tokens, i) || tokens[i].directive || !names_component(tokens, i + 1)) continue;
            const std::size_t begin = owner_begin(tokens, i);
            if (begin == reader::no_token || tokens.is(begin, "this")) continue;
            const bool arrow = tokens.is(i, "->");
            bool in_memory = arrow || tokens.is(begin, "(") || shared_names.contains(tokens[begin].text);
            for (std::size_t k = begin; k < i; ++k)
                in_memory = in_memory || tokens.is(k, "[") || tokens.is(k, "->");
            if (!in_memory) continue;
            edits.replace(begin, std::string("::cuda_emulator::members(") + (arrow ? "*" : "") +
                                     edits.flat(begin, begin + 1));
            edits.replace(i, ").");
        }
    }
}

} // namespace emulator

#include "emulator/launch_syntax.h"

#include <algorithm>

namespace emulator {

namespace {

/// More than any configuration of a launch has. A source may have as many `<<<` as it likes, so none is
/// looked at for long.
constexpr std::size_t max_configuration_tokens = 1000;

/// A word that can stand in front of an expression.
bool is_keyword(const reader::TokenView& view, std::size_t i) {
    return view.is(i, "return") || view.is(i, "else") || view.is(i, "do") || view.is(i, "if") ||
           view.is(i, "for") || view.is(i, "while");
}

} // namespace

std::size_t callee_begin(const reader::TokenView& view, std::size_t launch) {
    if (launch == 0) return reader::no_token;
    std::size_t i = launch - 1;
    for (;;) {
        if (view.is(i, ")") || view.is(i, "]")) {
            if (view.partner(i) == reader::no_token) return reader::no_token;
            const bool element = view.is(i, "]");
            i = view.partner(i);
            if (i > 0 && (element || (view.is_identifier(i - 1) && !is_keyword(view, i - 1)))) {
                --i;
                continue;
            }
            return i;
        }
        if (view.is(i, ">")) {
            i = view.open_angle(i);
            if (i == reader::no_token || i == 0) return reader::no_token;
            --i;
        }
        if (!view.is_identifier(i)) return reader::no_token;
        if (i == 0) return i;
        if (view.is(i - 1, "::")) {
            --i;
            if (i == 0 || !(view.is_identifier(i - 1) || view.is(i - 1, ">")) || view.is(i - 1, "return"))
                return i;
            --i;
        } else if ((view.is(i - 1, ".") || view.is(i - 1, "->")) && i >= 2) {
            i -= 2;
        } else {
            return i;
        }
    }
}

std::size_t configuration_end(const reader::TokenView& view, std::size_t begin, int* commas) {
    const auto triple = [&](std::size_t i) {
        return view.is(i, ">") && view.is(i + 1, ">") && view.is(i + 2, ">") &&
               view.position(i + 2) == view.position(i) + 2;
    };
    const std::size_t last = std::min(view.size(), begin + max_configuration_tokens);
    for (std::size_t i = begin; i < last; ++i) {
        if (view.is(i, ";") || view.is(i, "}") || view.is(i, ")")) return reader::no_token;
        if (view.is(i, ",")) ++*commas;
        if (view.is(i, "(") || view.is(i, "[") || view.is(i, "{")) {
            if (view.partner(i) == reader::no_token) return reader::no_token;
            i = view.partner(i);
        }
        if (triple(i) && !triple(i + 1)) return i;
    }
    return reader::no_token;
}

} // namespace emulator

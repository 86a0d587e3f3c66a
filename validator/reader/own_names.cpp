#include "reader/own_names.h"

#include <algorithm>

namespace reader {

namespace {

class Declarations {
  public:
    explicit Declarations(const TokenView& tokens) : tokens_(tokens) {}

    /// Whether the identifier at `name` is what a declaration declares, and where it is known.
    bool covers(std::size_t name, std::size_t use) const {
        const std::size_t begin = part_begin(name);
        if (begin > 0 && tokens_.is(begin - 1, "("))
            return (declares(begin, name) || declares(last_comma(begin, name), name)) && use >= name &&
                   use <= controlled_end(begin - 1);
        if (!declares(begin, name)) return false;
        const std::size_t open = block(name);
        if (open == no_token) return use >= name;
        return use < tokens_.partner(open) && (use >= name || (use > open && is_class(open)));
    }

  private:
    static bool is_statement_word(std::string_view word) {
        static constexpr std::string_view words[] = {
            "return", "else", "do", "goto", "case", "throw", "new", "delete", "sizeof", "not", "co_return"};
        return std::find(std::begin(words), std::end(words), word) != std::end(words);
    }

    /// The first token of the statement, or of the parentheses, that holds `i`.
    std::size_t part_begin(std::size_t i) const {
        for (; i > 0; --i) {
            const std::size_t before = i - 1;
            if (tokens_[before].directive || tokens_.is(before, ";") || tokens_.is(before, "{") ||
                tokens_.is(before, "(") || tokens_.is(before, "["))
                return i;
            const bool statement_ends = tokens_.is(before, "}") && !tokens_.is(i, ",");
            if (statement_ends) return i;
            if (tokens_.is(before, "}") || tokens_.is(before, ")") || tokens_.is(before, "]")) {
                if (tokens_.partner(before) == no_token) return i;
                i = tokens_.partner(before) + 1;
            }
        }
        return 0;
    }

    /// Behind the last comma between two tokens that stands in no brackets; `begin` if there is none.
    std::size_t last_comma(std::size_t begin, std::size_t end) const {
        std::size_t found = begin;
        for (std::size_t i = begin; i < end; i = tokens_.skip(i) + 1)
            if (tokens_.is(i, ",")) found = i + 1;
        return found;
    }

    bool is_indirection(std::size_t i) const {
        return tokens_.is(i, "*") || tokens_.is(i, "&") || tokens_.is(i, "&&");
    }

    /// The name that follows a type beginning at `i`, or its `*` and `&`; no_token if that is no declaration.
    std::size_t first_name(std::size_t i) const {
        while (tokens_.is(i, "[") && tokens_.is(i + 1, "["))
            i = tokens_.skip(i) + 1; // an attribute
        while (tokens_.is_identifier(i) && tokens_.is(i + 1, ":"))
            i += 2; // a label, or public:
        if (!tokens_.is_identifier(i) || is_statement_word(tokens_[i].text)) return no_token;
        std::size_t name = no_token;
        bool type = false;
        for (;; ++i) {
            if (tokens_.is_identifier(i)) {
                type = type || name != no_token;
                name = i;
            } else if (tokens_.is(i, "::")) {
                name = no_token;
            } else if (tokens_.is(i, "<") && tokens_.close_angle(i) != no_token) {
                i = tokens_.close_angle(i);
                type = true;
                name = no_token;
            } else if (is_indirection(i) && (type || name != no_token)) {
                type = true;
                name = no_token;
            } else {
                return type ? name : no_token;
            }
        }
    }

    bool declares(std::size_t begin, std::size_t name) const {
        const std::size_t first = first_name(begin);
        if (first == no_token || first > name) return false;
        static constexpr std::string_view followers[] = {"=", ";", ",", ")", "[", "{", "(", ":"};
        const auto follows = [&](std::string_view text) { return tokens_.is(first + 1, text); };
        if (std::none_of(std::begin(followers), std::end(followers), follows)) return false;
        // In parentheses, `a && b(c)` is a condition.
        const bool inside = begin > 0 && !tokens_.is(begin - 1, ";") && !tokens_.is(begin - 1, "{") &&
                            !tokens_.is(begin - 1, "}");
        if (inside && is_indirection(first - 1) && follows("(")) return false;
        if (first == name) return true;
        // A later one of several: `int a = f(x), *b`.
        std::size_t i = last_comma(first, name);
        if (i == first) return false;
        while (is_indirection(i))
            ++i;
        return i == name;
    }

    /// The brace that opens the innermost block around a token; no_token at file scope.
    std::size_t block(std::size_t i) const {
        while (i-- > 0) {
            if (tokens_.is(i, "{") && tokens_.partner(i) != no_token) return i;
            const bool closes = tokens_.is(i, "}") || tokens_.is(i, ")") || tokens_.is(i, "]");
            if (closes && tokens_.partner(i) != no_token) i = tokens_.partner(i);
        }
        return no_token;
    }

    /// Whether a brace opens a class: its members are known in the whole of it.
    bool is_class(std::size_t open) const {
        for (std::size_t i = part_begin(open); i < open; ++i)
            if (tokens_.is(i, "struct") || tokens_.is(i, "class") || tokens_.is(i, "union")) return true;
        return false;
    }

    /// The end of what parentheses introduce: a function's body, or the statement behind `for (...)`.
    std::size_t controlled_end(std::size_t open) const {
        if (tokens_.partner(open) == no_token) return tokens_.size();
        for (std::size_t i = tokens_.partner(open); i < tokens_.size(); ++i) {
            if (tokens_.is(i, ";")) return i;
            if (tokens_.is(i, "{") && tokens_.partner(i) != no_token) return tokens_.partner(i);
        }
        return tokens_.size();
    }

    const TokenView& tokens_;
};

} // namespace

bool is_hidden(const TokenView& tokens, std::size_t use, std::size_t outer) {
    const Declarations declarations(tokens);
    for (std::size_t i = 0; i < tokens.size(); ++i)
        if (i != outer && tokens.is_identifier(i) && tokens.is(i, tokens[use].text) &&
            declarations.covers(i, use))
            return true;
    return false;
}

bool is_declared(const TokenView& tokens, std::size_t use) {
    return is_hidden(tokens, use, no_token);
}

} // namespace reader

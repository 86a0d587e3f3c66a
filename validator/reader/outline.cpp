#include "reader/outline.h"

#include <algorithm>

namespace reader {

TokenView::TokenView(const std::vector<Token>& tokens) : tokens_(&tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i)
        if (tokens[i].kind != TokenKind::blank) significant_.push_back(i);
    partner_.assign(significant_.size(), no_token);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < size(); ++i) {
        const Token& token = (*this)[i];
        if (token.is("(") || token.is("[") || token.is("{")) open.push_back(i);
        if (!(token.is(")") || token.is("]") || token.is("}")) || open.empty()) continue;
        // A brace closes whatever was left open inside of it: one lost parenthesis spoils one block only.
        const std::string_view wanted = token.is(")") ? "(" : token.is("]") ? "[" : "{";
        if (token.is("}"))
            while (open.size() > 1 && !(*this)[open.back()].is("{"))
                open.pop_back();
        if (!(*this)[open.back()].is(wanted)) continue;
        partner_[i] = open.back();
        partner_[open.back()] = i;
        open.pop_back();
    }
}

std::size_t TokenView::open_angle(std::size_t i) const {
    int depth = 0;
    for (;; --i) {
        const Token& token = (*this)[i];
        if (token.is(">")) ++depth;
        if (token.is("<") && --depth == 0) return i;
        if (token.is(";") || token.is("{") || token.is("(") || token.is("[")) return no_token;
        if (token.is(")") || token.is("]") || token.is("}")) {
            if (partner(i) == no_token) return no_token;
            i = partner(i);
        }
        if (i == 0) return no_token;
    }
}

std::size_t TokenView::close_angle(std::size_t i) const {
    int depth = 0;
    for (; i < size(); ++i) {
        const Token& token = (*this)[i];
        if (token.is("<")) ++depth;
        if (token.is(">") && --depth == 0) return i;
        if (token.is(";") || token.is(")") || token.is("]") || token.is("}")) return no_token;
        if (token.is("(") || token.is("[") || token.is("{")) {
            if (partner(i) == no_token) return no_token;
            i = partner(i);
        }
    }
    return no_token;
}

namespace {

/// Namespaces and classes within each other: `scan` calls itself once a level.
constexpr int max_depth = 200;

class Outliner {
  public:
    explicit Outliner(const TokenView& tokens) : tokens_(tokens) {
        outline_.at_file_scope.assign(tokens.size(), false);
    }

    Outline run() {
        find_macros();
        scan(0, tokens_.size(), false);
        return std::move(outline_);
    }

  private:
    /// Reads declarations from `begin` to `end`, inside a class or at file scope.
    void scan(std::size_t begin, std::size_t end, bool in_class) {
        if (depth_ == max_depth) {
            if (outline_.too_deep == no_token) outline_.too_deep = begin - 1;
            return;
        }
        ++depth_;
        std::size_t statement = begin;
        for (std::size_t i = begin; i < end; ++i) {
            outline_.at_file_scope[i] = !in_class;
            if (tokens_[i].directive) {
                statement = i + 1;
                continue;
            }
            if (tokens_.is(i, ";")) {
                note_declaration(statement, i, in_class);
                statement = i + 1;
            } else if (tokens_.is(i, "(") || tokens_.is(i, "[")) {
                i = skip(i, end, !in_class);
            } else if (tokens_.is(i, "{")) {
                const std::size_t close = tokens_.partner(i) == no_token ? end : tokens_.partner(i);
                const bool continues = enter(statement, i, close, in_class);
                i = close;
                if (!continues) statement = i + 1;
            } else if (tokens_.is(i, "}")) {
                statement = i + 1;
            }
        }
        --depth_;
    }

    std::size_t skip(std::size_t i, std::size_t end, bool file_scope) {
        const std::size_t close = tokens_.partner(i);
        if (close == no_token || close >= end) return i;
        for (std::size_t inside = i; inside <= close; ++inside)
            outline_.at_file_scope[inside] = file_scope;
        return close;
    }

    /// Notes the macros that stand for __device__ or __global__: `#define HD __host__ __device__`.
    void find_macros() {
        std::string_view name;
        for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
            if (!tokens_[i].directive) continue;
            if (tokens_.is(i, "#") && tokens_.is(i + 1, "define"))
                name = tokens_[std::min(i + 2, tokens_.size() - 1)].text;
            for (const std::string_view word : {"__device__", "__global__"})
                if (tokens_.is(i, word) && !name.empty()) macros_.push_back({name, word});
        }
    }

    bool means(std::size_t i, std::string_view word) const {
        if (tokens_.is(i, word)) return true;
        return std::any_of(macros_.begin(), macros_.end(),
                           [&](const Macro& m) { return m.word == word && tokens_.is(i, m.name); });
    }

    bool has(std::size_t begin, std::size_t end, std::string_view word) const {
        for (std::size_t i = begin; i < end; ++i)
            if (means(i, word)) return true;
        return false;
    }

    /// The words of a declaration outside of brackets.
    bool has_outside(std::size_t begin, std::size_t end, std::string_view word) const {
        for (std::size_t i = begin; i < end; ++i) {
            if (tokens_.is(i, word)) return true;
            i = tokens_.is(i, "{") ? i : tokens_.skip(i);
        }
        return false;
    }

    /// The opening parenthesis of the parameters: the first whose predecessor can be a function's name.
    std::size_t parameters(std::size_t begin, std::size_t end, std::size_t* name) const {
        for (std::size_t i = begin + 1; i < end; ++i) {
            if (tokens_.is(i - 1, "operator")) {
                *name = i - 1;
                if (tokens_.is(i, "(") && tokens_.is(i + 1, ")")) i += 2;
                while (i < end && !tokens_.is(i, "("))
                    ++i;
                return i < end ? i : no_token;
            }
            if (!tokens_.is(i, "(")) continue;
            std::size_t before = i - 1;
            if (tokens_.is(before, ">")) {
                const std::size_t open = tokens_.open_angle(before);
                if (open != no_token && open > begin) before = open - 1;
            }
            static constexpr std::string_view not_names[] = {"__launch_bounds__", "__attribute__", "alignas",
                                                             "decltype",          "__align__",     "noexcept",
                                                             "requires",          "explicit"};
            const std::string_view word = tokens_[before].text;
            if (tokens_.is_identifier(before) &&
                std::find(std::begin(not_names), std::end(not_names), word) == std::end(not_names)) {
                *name = before;
                return i;
            }
            i = tokens_.skip(i);
        }
        return no_token;
    }

    void note_kernel(std::size_t name) {
        const std::string text(tokens_[name].text);
        auto& kernels = outline_.kernels;
        if (std::find(kernels.begin(), kernels.end(), text) == kernels.end()) kernels.push_back(text);
    }

    void note_declaration(std::size_t begin, std::size_t end, bool in_class) {
        std::size_t name = 0;
        if (has(begin, end, "__global__") && parameters(begin, end, &name) != no_token) note_kernel(name);
        if (!in_class) note_variable(begin, end);
    }

    /// The first of the variables that a declaration at file scope declares, if that is what it does.
    void note_variable(std::size_t begin, std::size_t end) {
        static constexpr std::string_view others[] = {
            "using",    "typedef", "template", "struct", "class",  "enum",          "union",
            "operator", "friend",  "concept",  "return", "extern", "static_assert", "namespace"};
        std::size_t i = begin;
        std::size_t pointer =
            begin; // the last * or &: only what stands behind it makes the variable constant
        for (; i < end; ++i) {
            if (std::any_of(std::begin(others), std::end(others), [&](auto w) { return tokens_.is(i, w); }))
                return;
            const bool alignment = tokens_.is(i, "alignas") || tokens_.is(i, "__align__");
            if (alignment && tokens_.is(i + 1, "("))
                i = tokens_.skip(i + 1);
            else if (tokens_.is(i, "<") && tokens_.close_angle(i) != no_token)
                i = tokens_.close_angle(i);
            else if (tokens_.is(i, "*") || tokens_.is(i, "&"))
                pointer = i;
            else if (!tokens_.is_identifier(i) && !tokens_.is(i, "::"))
                break;
        }
        const bool ends =
            i == end || tokens_.is(i, "=") || tokens_.is(i, "[") || tokens_.is(i, "{") || tokens_.is(i, ",");
        if (!ends || i < begin + 2 || !tokens_.is_identifier(i - 1) || tokens_.is(i - 2, "::")) return;
        Outline::Variable variable;
        variable.name = tokens_[i - 1].text;
        variable.at = i - 1;
        for (const std::string_view word : {"__device__", "__constant__", "__managed__", "__shared__"})
            variable.device = variable.device || has(begin, i, word);
        variable.read_only = has(begin, i, "__constant__") && pointer == begin;
        variable.constant = has(begin, i, "constexpr") || has(pointer, i, "const");
        variable.array = i < end && tokens_.is(i, "[");
        outline_.variables.push_back(std::move(variable));
    }

    /// Handles the braces that follow a declaration's words. True if the declaration goes on behind them.
    bool enter(std::size_t statement, std::size_t open, std::size_t close, bool in_class) {
        if (has(statement, open, "namespace") ||
            (has(statement, open, "extern") && tokens_[open - 1].kind == TokenKind::text)) {
            scan(open + 1, close, false);
            return false;
        }
        std::size_t name = 0;
        const bool initializer = has_outside(statement, open, "=") && !has(statement, open, "operator");
        if (!initializer && parameters(statement, open, &name) != no_token) {
            add_function(statement, name, open, close, in_class);
            return false;
        }
        const bool type = has_outside(statement, open, "struct") || has_outside(statement, open, "class") ||
                          has_outside(statement, open, "union");
        if (type && !initializer) scan(open + 1, close, true);
        return true;
    }

    void add_function(std::size_t statement, std::size_t name, std::size_t open, std::size_t close,
                      bool in_class) {
        Outline::Function function;
        for (std::size_t i = name; !tokens_.is(i, "("); ++i) { // more than one token of an operator
            function.name += tokens_[i].text;
            if (!tokens_.is(name, "operator")) break;
        }
        function.open = open;
        function.close = close;
        function.kernel = has(statement, open, "__global__");
        function.device = function.kernel || has(statement, open, "__device__");
        function.member = in_class;
        function.immediate = has(statement, open, "consteval");
        function.declared = statement;
        for (std::size_t i = statement; i < open; ++i)
            if (tokens_.is(i, "__launch_bounds__") && tokens_.is(i + 1, "(")) function.bounds = i + 1;
        if (function.kernel) note_kernel(name);
        outline_.functions.push_back(std::move(function));
    }

    struct Macro {
        std::string_view name, word;
    };

    const TokenView& tokens_;
    int depth_ = 0; ///< of what `scan` is in
    Outline outline_;
    std::vector<Macro> macros_;
};

} // namespace

Outline outline(const TokenView& tokens) {
    return Outliner(tokens).run();
}

} // namespace reader

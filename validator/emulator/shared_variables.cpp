#include "emulator/shared_variables.h"

#include "reader/own_names.h"

#include <algorithm>

namespace emulator {

namespace {

class SharedVariables {
  public:
    SharedVariables(const reader::TokenView& tokens, const reader::Outline& outline, Edits& edits,
                    std::vector<RewriteError>& errors)
        : tokens_(tokens), outline_(outline), edits_(edits), errors_(errors) {}

    void run() {
        for (std::size_t i = 0; i < tokens_.size(); ++i)
            if (tokens_.is(i, "__shared__") && !tokens_[i].directive) shared(i);
    }

  private:
    void fail(std::size_t i, std::string message) {
        errors_.push_back({tokens_[i].line, std::move(message)});
    }

    std::size_t statement_begin(std::size_t i) const {
        while (i > 0 && !tokens_.is(i - 1, ";") && !tokens_.is(i - 1, "{") && !tokens_.is(i - 1, "}") &&
               !tokens_[i - 1].directive)
            --i;
        return i;
    }

    std::size_t statement_end(std::size_t i) const {
        for (; i < tokens_.size(); ++i) {
            if (tokens_.is(i, ";")) return i;
            if (tokens_.is(i, "}") || tokens_.is(i, ")")) return reader::no_token;
            i = tokens_.skip(i);
        }
        return reader::no_token;
    }

    struct Declarator {
        std::size_t begin = 0, end = 0, name = reader::no_token;
    };

    /// What a declaration declares, one by one. Empty, after an error, if a variable has an initial value.
    std::vector<Declarator> declarators(std::size_t begin, std::size_t end) {
        std::vector<Declarator> found;
        Declarator current{begin, end, reader::no_token};
        bool sized = false; // behind a [, only sizes follow
        for (std::size_t i = begin; i <= end; ++i) {
            if (i == end || tokens_.is(i, ",")) {
                if (current.name == reader::no_token) break;
                current.end = i;
                found.push_back(current);
                current = {i + 1, end, reader::no_token};
                sized = false;
            } else if (initializes(i, current.name)) {
                fail(i, "A __shared__ variable cannot have an initial value: assign to it, then "
                        "__syncthreads().");
                return {};
            } else if (tokens_.is(i, "[")) {
                sized = true;
                i = tokens_.skip(i);
            } else if (tokens_.is(i, "{") || tokens_.is(i, "(")) {
                i = tokens_.skip(i);
            } else if (tokens_.is(i, "<") && tokens_.close_angle(i) != reader::no_token) {
                i = tokens_.close_angle(i);
            } else if (tokens_.is_identifier(i) && !sized) {
                current.name = i;
            }
        }
        return found;
    }

    bool initializes(std::size_t i, std::size_t name) const {
        if (tokens_.is(i, "=") || (tokens_.is(i, "{") && tokens_.is(i + 1, "}"))) return true;
        return tokens_.is(i, "(") && name != reader::no_token && !tokens_.is(i - 1, "__align__") &&
               !tokens_.is(i - 1, "alignas") && !tokens_.is(i - 1, "__attribute__") &&
               !tokens_.is(i - 1, "decltype");
    }

    bool in_specifiers(std::size_t begin, std::size_t end, std::string_view word) const {
        for (std::size_t i = begin; i < end; ++i)
            if (tokens_.is(i, word)) return true;
        return false;
    }

    void shared(std::size_t i) {
        const std::size_t begin = statement_begin(i), end = statement_end(i);
        if (end == reader::no_token) return fail(i, "This __shared__ declaration has no end.");
        const bool file_scope = outline_.at_file_scope[i];
        if (in_specifiers(begin, end, "extern")) return dynamic_shared(begin, end, file_scope);
        const std::vector<Declarator> declared = declarators(begin, end);
        if (declared.empty()) return;
        // The first declarator begins behind the type that all of them share.
        std::size_t first = declared.front().name;
        while (first > begin && (tokens_.is(first - 1, "*") || tokens_.is(first - 1, "&")))
            --first;
        std::string type;
        for (std::size_t t = begin; t < first; ++t)
            if (!tokens_.is(t, "__shared__") && !tokens_.is(t, "static"))
                type += std::string(tokens_[t].text) + " ";
        std::string text;
        for (const Declarator& d : declared) {
            const std::string name(tokens_[d.name].text),
                id = "cuda_emulator_shared_" + std::to_string(++shared_count_);
            const std::string place = "::cuda_emulator::shared<" + id + ">(" + in_quotes(name) + ")." + name;
            text += "struct " + id + " { " + type + edits_.flat(std::max(first, d.begin), d.end) + "; }; ";
            if (file_scope)
                replace_uses(d.name, place);
            else
                text += "[[maybe_unused]] auto& " + name + " = " + place + "; ";
        }
        edits_.remove(begin, end);
        edits_.replace(end, text);
    }

    /// A variable at file scope has its place in whichever kernel runs: each use of it asks for the place.
    void replace_uses(std::size_t declared, const std::string& place) {
        for (std::size_t i = declared + 1; i < tokens_.size(); ++i)
            if (tokens_.is_identifier(i) && tokens_.is(i, tokens_[declared].text) &&
                !tokens_.is(i - 1, ".") && !tokens_.is(i - 1, "->") && !tokens_.is(i - 1, "::") &&
                !reader::is_hidden(tokens_, i, declared))
                edits_.replace(i, place);
    }

    void dynamic_shared(std::size_t begin, std::size_t end, bool file_scope) {
        const bool array = end >= begin + 4 && tokens_.is(end - 1, "]") && tokens_.is(end - 2, "[") &&
                           tokens_.is_identifier(end - 3);
        if (!array)
            return fail(
                begin,
                "Dynamic shared memory is declared as one array without size: extern __shared__ T name[];");
        const std::size_t name = end - 3;
        std::string type;
        for (std::size_t t = begin; t < name; ++t) {
            if (tokens_.is(t, "alignas") || tokens_.is(t, "__align__") || tokens_.is(t, "__attribute__")) {
                t = tokens_.skip(t + 1);
                continue;
            }
            if (tokens_.is(t, "extern") || tokens_.is(t, "__shared__")) continue;
            if (tokens_.is(t, ",")) return fail(t, "Declare one extern __shared__ array at a time.");
            type += std::string(tokens_[t].text) + " ";
        }
        edits_.remove(begin, end);
        edits_.replace(end, std::string("[[maybe_unused]] ") + (file_scope ? "static auto& " : "auto& ") +
                                std::string(tokens_[name].text) + " = ::cuda_emulator::dynamic_shared<" +
                                type + ">();");
    }

    const reader::TokenView& tokens_;
    const reader::Outline& outline_;
    Edits& edits_;
    std::vector<RewriteError>& errors_;
    int shared_count_ = 0;
};

} // namespace

void rewrite_shared_variables(const reader::TokenView& tokens, const reader::Outline& outline, Edits& edits,
                              std::vector<RewriteError>& errors) {
    SharedVariables(tokens, outline, edits, errors).run();
}

} // namespace emulator

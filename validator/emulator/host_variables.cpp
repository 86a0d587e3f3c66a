#include "emulator/host_variables.h"

#include <algorithm>
#include <initializer_list>
#include <set>

namespace emulator {

namespace {

class HostVariables {
  public:
    HostVariables(const reader::TokenView& tokens, const reader::Outline& outline, Edits& edits)
        : tokens_(tokens), outline_(outline), edits_(edits) {}

    void run() {
        if (outline_.kernels.empty()) return;
        find_macros();
        for (const reader::Outline::Variable& variable : outline_.variables)
            if (!variable.device) note(statement_begin(variable.at));
        for (const reader::Outline::Function& function : outline_.functions)
            if (!function.device) note_statics(function.open + 1, function.close);
        // What is neither in a function nor at file scope is in a class, or in a lambda that is a value.
        std::size_t end = 0;
        for (const reader::Outline::Function& function : outline_.functions) {
            note_statics(end, function.declared);
            end = function.close;
        }
        note_statics(end, tokens_.size());
    }

  private:
    bool is_one_of(std::size_t i, std::initializer_list<std::string_view> words) const {
        return std::any_of(words.begin(), words.end(), [&](auto word) { return tokens_.is(i, word); });
    }

    /// Macros that stand for `static`, alone or with other words.
    void find_macros() {
        std::string_view name;
        for (std::size_t i = 0; i + 2 < tokens_.size(); ++i) {
            if (!tokens_[i].directive) continue;
            if (tokens_.is(i, "#") && tokens_.is(i + 1, "define")) name = tokens_[i + 2].text;
            if (tokens_.is(i, "static") && !name.empty()) static_.insert(name);
        }
    }

    std::size_t statement_begin(std::size_t i) const {
        while (i > 0 && !is_one_of(i - 1, {";", "{", "}", ":"}) && !tokens_[i - 1].directive)
            --i;
        return i;
    }

    bool is_in_class(std::size_t i) const {
        while (i > 0 && !tokens_.is(--i, "{"))
            if (is_one_of(i, {"}", ")", "]"}) && tokens_.partner(i) != reader::no_token)
                i = tokens_.partner(i);
        for (std::size_t word = statement_begin(i); word < i; ++word) {
            if (is_one_of(word, {"(", "=", "["})) return false;
            if (is_one_of(word, {"struct", "class", "union"})) return true;
        }
        return false;
    }

    /// The variables declared `static` between `begin` and `end`; those at file scope are known already.
    void note_statics(std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (tokens_.is(i, "__device__")) { // a function of a class that a function of the host defines
                while (i < end && !tokens_.is(i, "{") && !tokens_.is(i, ";"))
                    ++i;
                i = tokens_.skip(i);
            }
            if (tokens_[i].directive || !static_.contains(tokens_[i].text)) continue;
            if (outline_.at_file_scope[i]) continue;
            const std::size_t first = statement_begin(i);
            if (first == begin || is_one_of(first - 1, {";", "{", "}", ":"}) || tokens_[first - 1].directive)
                note(first);
        }
    }

    /// Words after which no variable follows that the program itself defines here and for good.
    bool is_no_definition(std::size_t i) const {
        return is_one_of(i, {"extern", "thread_local", "using", "typedef", "template", "operator", "friend",
                             "__device__", "__constant__", "__managed__", "__shared__", "else", "do", "("});
    }

    /// Steps over what belongs to a type and is no word: template arguments, attributes, alignments.
    std::size_t skip_in_type(std::size_t i) const {
        if (tokens_.is(i, "<") && tokens_.close_angle(i) != reader::no_token) return tokens_.close_angle(i);
        if (is_one_of(i, {"alignas", "__align__", "__attribute__", "decltype"})) return tokens_.skip(i + 1);
        if (tokens_.is(i, "[") && tokens_.is(i + 1, "[")) return tokens_.skip(i);
        return i;
    }

    /// The declarators of the declaration that begins at `first`.
    void note(std::size_t first) {
        std::string calls;
        const bool in_class = !outline_.at_file_scope[first] && is_in_class(first);
        bool lasting = !in_class; // the class alone may define it nowhere
        std::size_t i = first, name = reader::no_token;
        for (; i < tokens_.size() && !is_one_of(i, {"=", "{", ",", ";"}); ++i) {
            if (is_no_definition(i)) return;
            if (is_one_of(i, {"constexpr", "inline"})) lasting = true;
            const std::size_t behind = skip_in_type(i);
            if (behind != i)
                i = behind;
            else if (tokens_.is(i, "["))
                break;
            else if (tokens_.is_identifier(i))
                name = i;
        }
        if (!lasting || name == reader::no_token || name == first) return;
        for (;;) {
            add(calls, name, in_class);
            while (i < tokens_.size() && !is_one_of(i, {",", ";"})) {
                const std::size_t angle = tokens_.is(i, "<") ? tokens_.close_angle(i) : reader::no_token;
                i = angle != reader::no_token ? angle + 1 : tokens_.skip(i) + 1;
            }
            if (i >= tokens_.size()) return;
            if (tokens_.is(i, ";")) break;
            name = ++i;
            while (tokens_.is(name, "*") || tokens_.is(name, "const"))
                ++name;
        }
        edits_.replace(i, ";" + calls);
    }

    void add(std::string& calls, std::size_t name, bool in_class) {
        const bool type = is_one_of(name - 1, {"struct", "class", "union", "enum"});
        const bool declares = tokens_.is_identifier(name) && !type && !is_one_of(name, {"auto", "struct"}) &&
                              !is_one_of(name - 1, {"&", "&&", "::", ".", "->"}) &&
                              is_one_of(name + 1, {"=", "{", "[", ",", ";"});
        if (!declares) return;
        const std::string text(tokens_[name].text);
        calls += std::string(" [[maybe_unused]] static ") + (in_class ? "inline " : "") +
                 "const bool cuda_emulator_host_" + std::to_string(++count_) +
                 " = ::cuda_emulator::host_variable(" + text + ", " + in_quotes(text) + ");";
    }

    const reader::TokenView& tokens_;
    const reader::Outline& outline_;
    Edits& edits_;
    std::set<std::string_view> static_{"static"};
    int count_ = 0;
};

} // namespace

void rewrite_host_variables(const reader::TokenView& tokens, const reader::Outline& outline, Edits& edits) {
    HostVariables(tokens, outline, edits).run();
}

} // namespace emulator

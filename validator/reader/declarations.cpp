#include "reader/declarations.h"

#include "reader/statements.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace reader {
namespace {

using Kind = Declaration::Kind;

class Walker {
  public:
    explicit Walker(const std::vector<Word>& words) : words_(words) {}

    std::vector<Declaration> run() {
        std::vector<Declaration> all;
        for (std::size_t i = 0; i < words_.size();) {
            if (text(i) == "}" || text(i) == ";") {
                ++i;
            } else if (const std::size_t brace = namespace_brace(i); brace > 0) {
                i = brace + 1;
            } else {
                all.push_back(declaration(i));
                i = all.back().last;
            }
        }
        return all;
    }

  private:
    std::string_view text(std::size_t i) const { return i < words_.size() ? words_[i].text : ""; }
    bool opens(std::size_t i) const { return words_[i].partner > i; }

    /// The `{` of a namespace whose declaration begins at word `i`, or 0.
    std::size_t namespace_brace(std::size_t i) const {
        if (text(i) == "inline") ++i;
        if (text(i) != "namespace") return 0;
        while (++i < words_.size() && (words_[i].identifier || text(i) == "::"))
            continue;
        return text(i) == "{" ? i : 0;
    }

    /// What is seen on the way to the end of a declaration, outside of all brackets.
    struct Seen {
        std::size_t list = 0; ///< the first `(` before any `=`
        std::size_t equals = 0;
        std::size_t name_ends = 0; ///< the first word that cannot belong to what a variable's name follows
        bool arrow = false;
        bool body = false;
        bool several = false;
        bool constant = false;
    };

    Declaration declaration(std::size_t first) const {
        Seen seen;
        std::size_t k = first;
        for (; k < words_.size() && text(k) != ";" && text(k) != "}"; ++k) {
            if (text(k) == "=" && seen.equals == 0) seen.equals = k;
            if (text(k) == "(" && seen.list == 0 && seen.equals == 0) seen.list = k;
            if (text(k) == "->") seen.arrow = true;
            if (text(k) == ",") seen.several = true;
            if (text(k) == "constexpr" || text(k) == "consteval") seen.constant = true;
            const bool attribute = text(k) == "[" && text(k + 1) == "[";
            const bool ends_name = text(k) == "=" || text(k) == "{" || text(k) == "(" || text(k) == "[";
            if (ends_name && !attribute && seen.name_ends == 0) seen.name_ends = k;
            if (!opens(k)) continue;
            const bool brace = text(k) == "{";
            k = words_[k].partner;
            const bool function = words_[k].ends_function || (seen.arrow && seen.list > 0);
            if (brace && function && seen.equals == 0) {
                seen.body = true;
                break;
            }
        }
        const std::size_t last = std::min(k + 1, words_.size());
        if (seen.name_ends == 0) seen.name_ends = last - 1;
        Declaration declaration = named(after_specifiers(first), last, seen);
        declaration.first = first;
        declaration.last = std::max(last, first + 1);
        return declaration;
    }

    /// Where the words begin that say what is declared.
    std::size_t after_specifiers(std::size_t i) const {
        static const std::set<std::string_view> specifiers{"static", "inline", "extern", "constexpr",
                                                           "consteval"};
        for (;;) {
            if (text(i) == "[" && opens(i))
                i = words_[i].partner + 1;
            else if (text(i) == "template" && i + 1 < words_.size() && opens(i + 1))
                i = words_[i + 1].partner + 1;
            else if (specifiers.contains(text(i)))
                ++i;
            else
                return i;
        }
    }

    std::string name_at(std::size_t i) const {
        return i < words_.size() && words_[i].identifier ? std::string(words_[i].text) : "";
    }

    Declaration named(std::size_t i, std::size_t last, const Seen& seen) const {
        static const std::set<std::string_view> classes{"struct", "class", "union", "enum"};
        static const std::set<std::string_view> nameless{"static_assert", "namespace", "friend", "asm",
                                                         "template"};
        if (nameless.contains(text(i))) return {};
        if (text(i) == "using") {
            if (text(i + 1) == "namespace") return {};
            return {.kind = Kind::alias, .name = name_at((seen.equals > 0 ? seen.equals : last - 1) - 1)};
        }
        if (text(i) == "typedef") return {.kind = Kind::alias, .name = name_at(last - 2)};
        if (classes.contains(text(i)) && (text(last - 2) == "}" || last - i == 3)) {
            if (text(i) == "enum" && classes.contains(text(i + 1))) ++i;
            return {.kind = Kind::type, .name = name_at(i + 1)};
        }
        if (seen.body || declares_function(seen))
            return {.kind = Kind::function, .name = seen.list > 0 ? name_at(seen.list - 1) : ""};
        Declaration variable{.kind = Kind::variable, .constant = seen.constant || is_number(i, last, seen)};
        if (!seen.several) variable.name = name_at(seen.name_ends - 1);
        return variable;
    }

    /// `double half(double value);`, and not a variable with arguments for its constructor.
    bool declares_function(const Seen& seen) const {
        if (seen.list == 0 || seen.equals > 0) return false;
        const std::size_t close = words_[seen.list].partner;
        return close == seen.list + 1 || could_declare(words_, seen.list + 1, close);
    }

    /// A constant of arithmetic type whose value needs no call.
    bool is_number(std::size_t i, std::size_t last, const Seen& seen) const {
        if (seen.equals <= i + 1) return false;
        const Arithmetic type = arithmetic_type(words_, i, seen.equals - 1);
        if (type.name.empty() || !type.constant) return false;
        return std::none_of(words_.begin() + static_cast<std::ptrdiff_t>(seen.equals),
                            words_.begin() + static_cast<std::ptrdiff_t>(last),
                            [](const Word& word) { return word.text == "(" || word.text == "{"; });
    }

    const std::vector<Word>& words_;
};

/// Whether the `static` at word `i` is a function's, or a constant's.
bool harmless_static(const std::vector<Word>& words, std::size_t i) {
    if (i > 0 && words[i - 1].text == "constexpr") return true;
    for (std::size_t k = i + 1; k < words.size(); ++k) {
        const std::string_view text = words[k].text;
        if (text == "constexpr") return true;
        if (text == "(") return !words[i].in_function;
        if (text == "=" || text == ";" || text == "{") return false;
    }
    return false;
}

} // namespace

std::vector<Declaration> declarations_of(const std::vector<Word>& words) {
    return Walker(words).run();
}

bool keeps_state(const std::vector<Word>& words, const std::vector<Declaration>& declarations) {
    for (const Declaration& each : declarations)
        if (each.kind == Kind::variable && !each.constant) return true;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i].text == "thread_local") return true;
        if (words[i].text == "static" && !harmless_static(words, i)) return true;
    }
    return false;
}

} // namespace reader

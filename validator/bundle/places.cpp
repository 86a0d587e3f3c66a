#include "bundle/places.h"

#include "reader/statements.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace bundle {
namespace {

class Finder {
  public:
    explicit Finder(const std::vector<reader::Word>& words) : words_(words) {}

    std::vector<Place> run(const std::vector<reader::Function>& functions) {
        for (const reader::Function& function : functions) {
            if (function.constant) continue;
            opens_ = at(function.opens);
            deduced_ = function.deduced;
            places_.push_back({.kind = Place::Kind::body,
                               .begin = function.opens + 1,
                               .end = function.closes,
                               .first_line = function.first_line,
                               .last_line = function.last_line,
                               .first_word = opens_ + 1,
                               .last_word = words_[opens_].partner,
                               .type = {},
                               .exact = !function.deduced});
            for (std::size_t i = opens_ + 1; i < words_[opens_].partner; ++i)
                look_at(i);
        }
        std::ranges::sort(places_, [](const Place& a, const Place& b) {
            return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
        });
        return std::move(places_);
    }

  private:
    std::size_t at(std::size_t offset) const {
        return static_cast<std::size_t>(std::ranges::lower_bound(words_, offset, {}, &reader::Word::offset) -
                                        words_.begin());
    }

    void look_at(std::size_t i) {
        if (words_[i].text == "(" && words_[i].partner > i)
            control(i);
        else if (reader::begins_statement(words_, i) && !reader::in_for_header(words_, i))
            statement(i);
    }

    /// The conditions and steps of what the word before `open` begins.
    void control(std::size_t open) {
        const std::string_view word = words_[open - 1].text;
        const std::size_t close = words_[open].partner;
        if (word == "if" || word == "while") {
            if (!holds_semicolon(open + 1, close)) expression(Place::Kind::condition, open + 1, close);
        } else if (word == "for") {
            const std::size_t first = reader::semicolon_after(words_, open + 1);
            const std::size_t second = first > 0 ? reader::semicolon_after(words_, first + 1) : 0;
            if (second == 0) return; // over a range
            declaration(open + 1, first);
            expression(Place::Kind::condition, first + 1, second);
            expression(Place::Kind::step, second + 1, close);
        }
    }

    void statement(std::size_t i) {
        const std::size_t end = reader::semicolon_after(words_, i);
        if (end == 0) return;
        const bool known = words_[i].text == "auto" || words_[i].text == "const";
        if (!known && reader::end_of_statement(words_, i) == 0) return;
        if (known || reader::could_declare(words_, i, end))
            declaration(i, end);
        else
            add(Place::Kind::statement, i, end + 1, returns_as_declared(i) && !could_still_declare(i, end));
    }

    /// Whether the type of what is returned is not found from the statement at word `i` itself.
    bool returns_as_declared(std::size_t i) const {
        if (words_[i].text != "return") return true;
        for (std::size_t k = i; --k > opens_;)
            if (words_[k].text == "{" && words_[k].partner > i && opens_lambda(k)) return false;
        return !deduced_;
    }

    bool opens_lambda(std::size_t brace) const {
        return words_[words_[brace].partner].ends_function || words_[brace - 1].text == "]" ||
               words_[brace - 1].text == "mutable";
    }

    /// An operator before anything is called or assigned: as an expression this would do nothing, so it may
    /// be a declaration, with template arguments or `*` where they are not expected.
    bool could_still_declare(std::size_t first, std::size_t last) const {
        static const std::set<std::string_view> jumps{"return", "throw"};
        static const std::set<std::string_view> in_types{"<", "*", "&", "&&"};
        if (jumps.contains(words_[first].text)) return false;
        for (std::size_t k = first + 1; k < last; ++k) {
            const reader::Word& word = words_[k];
            if (in_types.contains(word.text) && !word.template_angle) return true;
            if (word.template_angle && word.partner > k)
                k = word.partner;
            else if (!word.identifier && word.text != "::")
                return false;
        }
        return false;
    }

    /// One variable with `=` and a value that is neither a list nor a lambda: copies of those have other
    /// types.
    void declaration(std::size_t first, std::size_t last) {
        static const std::set<std::string_view> constant{"static", "constexpr", "constinit", "using",
                                                         "typedef"};
        std::size_t equals = 0;
        for (std::size_t k = first; k < last; ++k) {
            const reader::Word& word = words_[k];
            if (constant.contains(word.text) || word.text == ",") return;
            if (word.text == "=" && equals == 0) equals = k;
            if (equals > 0 && word.text == "{") return;
            if (word.partner > k) k = word.partner;
        }
        if (equals <= first || !reader::could_declare(words_, first, equals)) return;
        const reader::Arithmetic type = reader::arithmetic_type(words_, first, equals - 1);
        // The value of a constant integer may be needed to compile.
        add(Place::Kind::value, equals + 1, last, !type.name.empty() && !(type.constant && type.integer),
            type.name);
    }

    void expression(Place::Kind kind, std::size_t first, std::size_t last) {
        if (first < last && !reader::could_declare(words_, first, last)) add(kind, first, last, true);
    }

    bool holds_semicolon(std::size_t first, std::size_t last) const {
        return std::any_of(words_.begin() + static_cast<std::ptrdiff_t>(first),
                           words_.begin() + static_cast<std::ptrdiff_t>(last),
                           [](const reader::Word& word) { return word.text == ";"; });
    }

    void add(Place::Kind kind, std::size_t first, std::size_t last, bool exact, std::string type = {}) {
        if (first < last)
            places_.push_back({.kind = kind,
                               .begin = words_[first].offset,
                               .end = words_[last - 1].end(),
                               .first_line = words_[first].line,
                               .last_line = words_[last - 1].line,
                               .first_word = first,
                               .last_word = last,
                               .type = std::move(type),
                               .exact = exact});
    }

    const std::vector<reader::Word>& words_;
    std::size_t opens_ = 0; ///< the `{` of the function that is looked at
    bool deduced_ = false;
    std::vector<Place> places_;
};

} // namespace

std::vector<Place> places_of(const std::vector<reader::Word>& words,
                             const std::vector<reader::Function>& functions) {
    return Finder(words).run(functions);
}

std::vector<Place> places_of(const std::string& source) {
    const std::vector<reader::Word> words = reader::read_words(source);
    return places_of(words, reader::functions_of(source));
}

} // namespace bundle

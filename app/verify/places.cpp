#include "app/verify/places.h"

#include "app/verify/statements.h"
#include "bundle/functions.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace verify {
namespace {

using bundle::Word;

class Finder {
  public:
    explicit Finder(const std::string& source) : words_(bundle::read_words(source)) {}

    std::vector<Place> run(const std::vector<bundle::Function>& functions) {
        for (const bundle::Function& function : functions) {
            if (function.constant) continue;
            places_.push_back({Place::Kind::body, function.opens + 1, function.closes, function.first_line,
                               function.last_line});
            for (std::size_t i = 0; i < words_.size(); ++i)
                if (words_[i].offset > function.opens && words_[i].offset < function.closes) look_at(i);
        }
        std::ranges::sort(places_, [](const Place& a, const Place& b) {
            return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
        });
        return std::move(places_);
    }

  private:
    void look_at(std::size_t i) {
        if (words_[i].text == "(" && words_[i].partner > i)
            control(i);
        else if (begins_statement(words_, i) && !in_for_header(words_, i))
            statement(i);
    }

    /// The conditions and steps of what the word before `open` begins.
    void control(std::size_t open) {
        const std::string_view word = words_[open - 1].text;
        const std::size_t close = words_[open].partner;
        if (word == "if" || word == "while") {
            if (!holds_semicolon(open + 1, close)) expression(Place::Kind::condition, open + 1, close);
        } else if (word == "for") {
            const std::size_t first = semicolon_after(words_, open + 1);
            const std::size_t second = first > 0 ? semicolon_after(words_, first + 1) : 0;
            if (second == 0) return; // over a range
            declaration(open + 1, first);
            expression(Place::Kind::condition, first + 1, second);
            expression(Place::Kind::step, second + 1, close);
        }
    }

    void statement(std::size_t i) {
        const std::size_t end = semicolon_after(words_, i);
        if (end == 0) return;
        const bool known = words_[i].text == "auto" || words_[i].text == "const";
        if (!known && end_of_statement(words_, i) == 0) return;
        if (known || could_declare(words_, i, end))
            declaration(i, end);
        else
            add(Place::Kind::statement, i, end + 1);
    }

    /// One variable with `=` and a value that is neither a list nor a lambda: copies of those have other
    /// types.
    void declaration(std::size_t first, std::size_t last) {
        static const std::set<std::string_view> constant{"static", "constexpr", "constinit", "using",
                                                         "typedef"};
        std::size_t equals = 0;
        for (std::size_t k = first; k < last; ++k) {
            const Word& word = words_[k];
            if (constant.contains(word.text) || word.text == ",") return;
            if (word.text == "=" && equals == 0) equals = k;
            if (equals > 0 && word.text == "{") return;
            if (word.partner > k) k = word.partner;
        }
        if (equals > first && could_declare(words_, first, equals)) add(Place::Kind::value, equals + 1, last);
    }

    void expression(Place::Kind kind, std::size_t first, std::size_t last) {
        if (first < last && !could_declare(words_, first, last)) add(kind, first, last);
    }

    bool holds_semicolon(std::size_t first, std::size_t last) const {
        return std::any_of(words_.begin() + static_cast<std::ptrdiff_t>(first),
                           words_.begin() + static_cast<std::ptrdiff_t>(last),
                           [](const Word& word) { return word.text == ";"; });
    }

    void add(Place::Kind kind, std::size_t first, std::size_t last) {
        if (first < last)
            places_.push_back({kind, words_[first].offset, words_[last - 1].end(), words_[first].line,
                               words_[last - 1].line});
    }

    std::vector<Word> words_;
    std::vector<Place> places_;
};

} // namespace

std::vector<Place> places_of(const std::string& source) {
    return Finder(source).run(bundle::functions_of(source));
}

} // namespace verify

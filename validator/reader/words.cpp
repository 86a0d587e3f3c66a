#include "reader/words.h"

#include "reader/tokens.h"

#include <algorithm>
#include <array>
#include <set>

namespace reader {
namespace {

using reader::TokenKind;

/// `second` directly behind `first` continues it: the tokenizer leaves `>` alone, because of template lists.
bool joins(const Word& first, const Word& second) {
    static constexpr std::array<std::string_view, 5> pairs{">=", "<<", ">>", "<<=", ">>="};
    if (first.end() != second.offset || first.template_angle || second.template_angle) return false;
    const std::string_view both(first.text.data(), first.text.size() + second.text.size());
    for (const std::string_view pair : pairs)
        if (both == pair) return true;
    return false;
}

std::vector<Word> significant(std::string_view source) {
    std::vector<Word> words;
    for (const reader::Token& token : reader::tokenize(source)) {
        if (token.kind == TokenKind::blank || token.directive) continue;
        words.push_back({.text = token.text,
                         .offset = static_cast<std::size_t>(token.text.data() - source.data()),
                         .line = token.line,
                         .identifier = token.kind == TokenKind::identifier,
                         .number = token.kind == TokenKind::number});
    }
    return words;
}

void pair_up(std::vector<Word>& words, std::size_t open, std::size_t close) {
    words[open].partner = close;
    words[close].partner = open;
}

/// More than any template list has. A source may have as many `<` as it likes, so none is looked at for long.
constexpr std::size_t max_template_words = 1000;

/// Where the template list that begins at `open` ends, if everything between may stand in one; else 0.
std::size_t end_of_template(const std::vector<Word>& words, std::size_t open) {
    static const std::set<std::string_view> allowed{"::", ",", "*", "&", "&&", "...",
                                                    "=",  "(", ")", "[", "]"};
    int depth = 0;
    int parentheses = 0;
    const std::size_t last = std::min(words.size(), open + max_template_words);
    for (std::size_t i = open; i < last; ++i) {
        const Word& word = words[i];
        if (word.text == "<") {
            ++depth;
        } else if (word.text == ">") {
            if (--depth == 0) return parentheses == 0 ? i : 0;
        } else if (word.text == "(") {
            ++parentheses;
        } else if (word.text == ")") {
            if (--parentheses < 0) return 0;
        } else if (!word.identifier && !word.number && !allowed.contains(word.text)) {
            return 0;
        }
    }
    return 0;
}

void mark_templates(std::vector<Word>& words) {
    for (std::size_t i = 1; i + 1 < words.size(); ++i) {
        if (words[i].text != "<" || words[i].template_angle || !words[i - 1].identifier) continue;
        const std::size_t end = end_of_template(words, i);
        if (end == 0) continue;
        // `a < b && c > d` could be one by its tokens, but a name hardly follows the list of an expression.
        bool logical = false;
        for (std::size_t k = i; k < end; ++k)
            logical = logical || words[k].text == "&&";
        if (logical && words[i - 1].text != "template") continue;
        for (const std::size_t angle : {i, end})
            words[angle].template_angle = true;
        pair_up(words, i, end);
    }
}

std::vector<Word> join_operators(const std::vector<Word>& words) {
    std::vector<Word> joined;
    for (const Word& word : words) {
        if (!joined.empty() && joins(joined.back(), word))
            joined.back().text =
                std::string_view(joined.back().text.data(), joined.back().text.size() + word.text.size());
        else
            joined.push_back(word);
    }
    return joined;
}

void pair_brackets(std::vector<Word>& words) {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view text = words[i].text;
        if (text == "(" || text == "[" || text == "{" || (text == "<" && words[i].template_angle)) {
            open.push_back(i);
        } else if (text == ")" || text == "]" || text == "}" || (text == ">" && words[i].template_angle)) {
            if (open.empty()) continue;
            pair_up(words, open.back(), i);
            open.pop_back();
        }
    }
}

/// A body follows a parameter list, perhaps with a few words between, and no keyword stands before that list.
bool begins_function(const std::vector<Word>& words, std::size_t brace) {
    static const std::set<std::string_view> between{"const", "noexcept", "override", "final", "mutable"};
    static const std::set<std::string_view> control{"if", "for", "while", "switch", "catch", "constexpr"};
    std::size_t i = brace;
    while (i > 0 && between.contains(words[i - 1].text))
        --i;
    if (i == 0 || words[i - 1].text != ")") return false;
    const std::size_t list = words[i - 1].partner;
    return list > 0 && !control.contains(words[list - 1].text);
}

void mark_functions(std::vector<Word>& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i].text != "{" || words[i].partner <= i || !begins_function(words, i)) continue;
        words[words[i].partner].ends_function = true;
        if (words[i].in_function) continue; // so is all of its body
        for (std::size_t k = i + 1; k < words[i].partner; ++k)
            words[k].in_function = true;
    }
}

} // namespace

std::vector<Word> read_words(std::string_view source) {
    std::vector<Word> words = significant(source);
    mark_templates(words);
    words = join_operators(words);
    pair_brackets(words);
    mark_functions(words);
    return words;
}

} // namespace reader

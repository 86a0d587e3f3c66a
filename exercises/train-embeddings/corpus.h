#pragma once

#include "common/ids.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// A text to learn from, made for this course: short sentences in which words of one class occur in the same
/// places. Nothing but the company that they keep says so.
namespace corpus {

using contract::TokenId;

inline constexpr std::string_view sentences = R"(
fresh cake tastes good . the bus leaves at noon . warm cheese tastes good . the young cat runs home .
she cooks soup for us . she cooks bread for us . warm bread tastes good . fresh rice tastes good .
we eat cake with butter . i feed my fox . a hungry dog drinks milk . we wait for the car .
my horse runs to me . they go by boat . fresh cheese tastes good . a hungry dog eats cheese .
he buys fresh bread today . they go by train . my cat runs to me . the truck leaves at noon .
he drives the train to town . a hungry mouse eats honey . a hungry cow drinks milk .
a hungry mouse drinks milk . they have black shoes . the old car leaves late . he likes the red coat .
they have white shoes . they have red shoes . the young horse runs home . her hat is green .
we eat warm rice . the sky turns red . she paints the wall white . the old boat leaves late .
we wait for the bike . we eat warm honey . they have blue shoes . the young horse sleeps .
he drives the truck to town . i feed my mouse . the old bus leaves late . a hungry fox eats soup .
we eat honey with butter . we eat warm cake . warm honey tastes good . the old truck stops .
he buys fresh rice today . she cooks honey for us . the sky turns yellow . he drives the bus to town .
she cooks cheese for us . he likes the black coat . he wears a red coat . she paints the wall green .
a small cat sleeps here . her hat is yellow . he likes the white coat . a small dog sleeps here .
the sky turns blue . she paints the wall blue . the old car stops . a small cow sleeps here .
the sky turns black . he drives the bike to town . her hat is black . the car leaves at noon .
a small fox sleeps here . we eat cheese with butter . we eat warm cheese . he wears a green coat .
the young fox sleeps . the old bike leaves late . my fox runs to me . he wears a yellow coat .
the young cat sleeps . he likes the yellow coat . a hungry cow eats rice . she cooks cake for us .
he wears a white coat . the old truck leaves late . the young cow runs home . i feed my dog .
we wait for the boat . warm soup tastes good . the young fox runs home . we eat bread with butter .
he buys fresh honey today . the young mouse sleeps . a hungry cat eats bread . they go by bus .
they have green shoes . a hungry horse drinks milk . he likes the blue coat . fresh soup tastes good .
the old boat stops . she paints the wall red . he buys fresh soup today . i feed my horse .
my cow runs to me . the young dog sleeps . the bike leaves at noon . a small mouse sleeps here .
we wait for the train . warm cake tastes good . i feed my cat . her hat is blue .
she paints the wall black . they go by truck . the old bike stops . he drives the car to town .
the train leaves at noon . we eat rice with butter . the old bus stops . we eat warm bread .
the sky turns white .
)";

struct Class {
    std::string_view name;
    std::string_view words;
};
inline constexpr Class classes[] = {{"animal", "cat dog horse cow fox mouse"},
                                    {"food", "bread cheese rice soup honey cake"},
                                    {"colour", "red blue green yellow white black"},
                                    {"vehicle", "car bus train boat bike truck"}};

/// The target of a sentence's last token: what the next sentence begins with is not to be guessed.
inline constexpr TokenId ignored = -1;

inline std::vector<std::string> words_of(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    std::vector<std::string> words;
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
        if (text.empty()) return words;
        words.emplace_back(text.substr(0, text.find_first_of(blanks)));
        text.remove_prefix(words.back().size());
    }
}

/// A text as a model reads it: one token a word, numbered in the order of their first appearance.
struct Tokens {
    std::vector<std::string> vocabulary;
    std::vector<TokenId> ids;
    std::vector<TokenId> targets; ///< the token after each, or `ignored`

    /// The number of a word; if it does not occur, the number of no token.
    std::size_t find(std::string_view word) const {
        return static_cast<std::size_t>(std::find(vocabulary.begin(), vocabulary.end(), word) -
                                        vocabulary.begin());
    }
};

inline Tokens tokens_of(std::string_view text) {
    Tokens tokens;
    for (const std::string& word : words_of(text)) {
        const std::size_t id = tokens.find(word);
        if (id == tokens.vocabulary.size()) tokens.vocabulary.push_back(word);
        tokens.ids.push_back(static_cast<TokenId>(id));
    }
    for (std::size_t i = 0; i < tokens.ids.size(); ++i) {
        const bool last =
            i + 1 == tokens.ids.size() || tokens.vocabulary[static_cast<std::size_t>(tokens.ids[i])] == ".";
        tokens.targets.push_back(last ? ignored : tokens.ids[i + 1]);
    }
    return tokens;
}

} // namespace corpus

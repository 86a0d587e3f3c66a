#pragma once

#include "similarity/compare.h"

#include <string>
#include <utility>
#include <vector>

/// Programs of 100 tokens each, for tests of what follows from matches.
inline similarity::Program hundred_tokens(const std::string& name, similarity::Origin origin) {
    std::string text;
    for (int i = 0; i < 100; ++i)
        text += name + " ";
    return similarity::read_program(name, origin, {{"a.cpp", text}});
}

/// The starter, two programs of the course, two of the class, and one of last year.
inline std::vector<similarity::Program> small_class() {
    using similarity::Origin;
    return {hundred_tokens("starter", Origin::starter), hundred_tokens("reference", Origin::course),
            hundred_tokens("variant", Origin::course),  hundred_tokens("ada", Origin::class_),
            hundred_tokens("bob", Origin::class_),      hundred_tokens("old", Origin::earlier)};
}

/// The first `count` tokens of two programs, by their places in `small_class`.
inline similarity::Match first_tokens(std::uint32_t a, std::uint32_t b, std::uint32_t count) {
    return {a, b, {0, count}, {0, count}};
}

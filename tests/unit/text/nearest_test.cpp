#include <doctest/doctest.h>

#include "text/nearest.h"

using text::nearest;

namespace {
const std::vector<std::string> known{"token-lookup", "dropout", "learned-positions", "sinusoidal-positions"};
}

TEST_CASE("a changed, missing, extra or swapped letter finds the id") {
    CHECK(nearest("dropaut", known) == "dropout");
    CHECK(nearest("dropot", known) == "dropout");
    CHECK(nearest("dropoout", known) == "dropout");
    CHECK(nearest("dropuot", known) == "dropout");
    CHECK(nearest("Token_Lookup", known) == "token-lookup");
}

TEST_CASE("a known id is nearest to itself") {
    CHECK(nearest("learned-positions", known) == "learned-positions");
}

TEST_CASE("nothing near gives no suggestion") {
    CHECK(nearest("attention", known) == std::nullopt);
    CHECK(nearest("", known) == std::nullopt);
    CHECK(nearest("dropout", {}) == std::nullopt);
    CHECK(nearest(std::string(1 << 20, 'd'), {std::string(3 << 20, 'e')}) == std::nullopt);
}

TEST_CASE("two neighbours swapped count as one edit, so a short word still finds its id") {
    CHECK(nearest("ba", {"ab"}) == "ab");           // bound for two letters: 1
    CHECK(nearest("bca", {"abc"}) == std::nullopt); // two edits
}

TEST_CASE("among near ids the nearest wins, and the first of equals") {
    CHECK(nearest("layer-one", {"layer-two", "layer-ons"}) == "layer-ons");
    CHECK(nearest("case-x", {"case-a", "case-b"}) == "case-a");
}

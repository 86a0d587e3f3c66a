#include "similarity/matches.h"

#include <array>
#include <doctest/doctest.h>
#include <string>

using similarity::Match;
using similarity::read_matches;

namespace {

constexpr std::array<std::size_t, 3> sizes{20, 30, 40};

} // namespace

TEST_CASE("matches are positions of tokens, counted from 0") {
    const auto matches = read_matches("File 0: 20 tokens, 20 lines\n\n"
                                      "0: line 3-11                    |2: line 6-14               [9]\n\n"
                                      "1: line 1-30|0: line 1-20 [20]\n",
                                      sizes);
    REQUIRE(matches.size() == 2);
    CHECK(matches[0].first == 0);
    CHECK(matches[0].second == 2);
    CHECK(matches[0].in_first.begin == 2);
    CHECK(matches[0].in_first.end == 11);
    CHECK(matches[0].in_second.begin == 5);
    CHECK(matches[0].in_second.end == 14);
    CHECK(matches[1].in_first.end == 30);
}

TEST_CASE("what is not within the programs is left out") {
    for (const char* line :
         {"3: line 1-2 |0: line 1-2 [2]", "0: line 0-0 |1: line 0-0 [2]", "0: line 1-21 |1: line 1-2 [2]",
          "0: line 5-4 |1: line 1-2 [2]", "0: line 1-2 |0: line 5-6 [2]", "0: line 1-2 |1: line 1-31 [2]",
          "0: line 4294967296-4294967297 |1: line 1-2 [2]", "-1: line 1-2 |1: line 1-2 [2]"}) {
        CAPTURE(line);
        CHECK(read_matches(line, sizes).empty());
    }
}

TEST_CASE("lines that are no match are left out, however they are cut") {
    const std::string whole = "0: line 3-11 |2: line 6-14 [9]";
    for (std::size_t i = 0; i < whole.size(); ++i) {
        CAPTURE(i);
        CHECK(read_matches(whole.substr(0, i), sizes).empty());
    }
    CHECK(read_matches(whole + "]", sizes).empty());
    CHECK(read_matches("x" + whole, sizes).empty());
    CHECK(read_matches(std::string(1000, '\0') + "\n" + whole, sizes).size() == 1);
}

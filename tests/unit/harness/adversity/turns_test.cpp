#include "harness/adversity/turns.h"

#include <doctest/doctest.h>

using harness::Turns;
using Positions = std::vector<std::size_t>;

TEST_CASE("every third of each list, and each list begins one further on") {
    Turns turns(3);
    CHECK(turns.of_next(7) == Positions{0, 3, 6});
    CHECK(turns.of_next(7) == Positions{1, 4});
    CHECK(turns.of_next(7) == Positions{2, 5});
    CHECK(turns.of_next(7) == Positions{0, 3, 6});
}

TEST_CASE("a list shorter than the step loses all but one, not all") {
    Turns turns(7);
    for (std::size_t list = 0; list < 20; ++list) {
        CHECK(turns.of_next(1) == Positions{0});
        CHECK(turns.of_next(3).size() == 1);
    }
}

TEST_CASE("an empty list takes no turn") {
    Turns turns(2);
    CHECK(turns.of_next(0).empty());
    CHECK(turns.of_next(3) == Positions{0, 2});
}

TEST_CASE("a step of one picks everything") {
    Turns turns(1);
    CHECK(turns.of_next(3) == Positions{0, 1, 2});
    CHECK(turns.of_next(3) == Positions{0, 1, 2});
}

#include "app/teaching/pace.h"

#include <doctest/doctest.h>

using namespace std::chrono_literals;
using teaching::pace;

TEST_CASE("before anything is done there is no rate") {
    CHECK(pace(0, 600, 10s) == "judging, 0 of 600");
    CHECK(pace(5, 600, 0s) == "judging, 5 of 600");
}

TEST_CASE("what is left follows from the rate") {
    CHECK(pace(120, 600, 80s) == "judging, 120 of 600, 1.5 a second, 6 min left");
    CHECK(pace(10, 11, 100s) == "judging, 10 of 11, 6.0 a minute, 10 s left");
    CHECK(pace(1, 1000, 10s) == "judging, 1 of 1000, 6.0 a minute, 2 h 46 min left");
}

TEST_CASE("at the end nothing is left") {
    CHECK(pace(600, 600, 400s) == "judging, 600 of 600, 1.5 a second");
}

#include "app/how_far.h"

#include <doctest/doctest.h>

using app::HowFar;
using model::Check;

TEST_CASE("nothing is said before something has been built") {
    CHECK(HowFar().line(true).empty());
}

TEST_CASE("tests are counted for the judged build, and other builds have their share") {
    HowFar how_far;
    how_far.heard({Check::none, 0, 29});
    CHECK(how_far.line(true) == "compiled · 0 of 29 tests");
    how_far.heard({Check::none, 12, 29});
    how_far.heard({Check::sanitizers, 0, 29});
    how_far.heard({Check::sanitizers, 6, 29});
    CHECK(how_far.line(true) == "compiled · 12 of 29 tests · checked build 20 %");
    CHECK(how_far.line(false) == "compiled, 12 of 29 tests, checked build 20 %");
    how_far.heard({Check::races, 29, 29});
    CHECK(how_far.line(true) == "compiled · 12 of 29 tests · checked build 20 % · race check 100 %");
}

TEST_CASE("a checked build that is ready first is shown beside the compiler") {
    HowFar how_far;
    how_far.heard({Check::trace, 1, 2});
    CHECK(how_far.line(true) == "compiling · traced kernels 50 %");
}

#include "harness/adversity/common.h"

#include <doctest/doctest.h>

using namespace harness;

namespace {

CallFacts call(std::size_t C, bool failed, std::set<std::string> circumstances = {}, std::size_t number = 1) {
    return {Extents{{"C", C}}, std::move(circumstances), number, failed};
}

} // namespace

TEST_CASE("a threshold is the smallest size that fails, where all larger ones fail and no smaller one") {
    CHECK(what_failures_share({call(2, false), call(8, false), call(9, true), call(30, true)}) ==
          "only where C is 9 or more");
    CHECK(what_failures_share({call(2, false), call(9, true), call(30, false)}).empty());
}

TEST_CASE("a remainder explains only what it explains without exception") {
    CHECK(what_failures_share({call(4, false), call(8, false), call(5, true), call(6, true),
                               call(11, true)}) == "only where C is not a multiple of 4");
    CHECK(what_failures_share({call(4, true), call(8, false), call(5, true), call(12, false), call(3, false)})
              .empty());
}

TEST_CASE("a circumstance is named where every failing call has it and no passing one") {
    CHECK(what_failures_share({call(3, false), call(3, true, {"an id repeats"}), call(4, false, {"gaps"})}) ==
          "only where an id repeats");
    CHECK(what_failures_share({call(3, false, {"an id repeats"}), call(3, true, {"an id repeats"})}).empty());
}

TEST_CASE("a first call that passes where all later ones fail") {
    CHECK(what_failures_share({call(3, false, {}, 1), call(3, true, {}, 2), call(3, true, {}, 3)}) ==
          "only where it is not the first call");
}

TEST_CASE("two properties together may single the failing calls out") {
    CHECK(what_failures_share(
              {call(3, false), call(514, true), call(513, true), call(516, false), call(1025, true)}) ==
          "only where C is not a multiple of 4 and C is 513 or more");
}

TEST_CASE("nothing is said where all calls fail, or none") {
    CHECK(what_failures_share({call(3, true), call(4, true)}).empty());
    CHECK(what_failures_share({call(3, false), call(4, false)}).empty());
    CHECK(what_failures_share({}).empty());
}

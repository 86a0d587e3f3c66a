#include "harness/claims.h"

#include <doctest/doctest.h>

using namespace harness;

TEST_CASE("what is claimed of calls made aside is about none of the case's") {
    Claims claims; // the session has made no calls
    claims.made_after(9);
    claims.made_after(1);
    CHECK(claims.functions({}).empty());
}

TEST_CASE("of several claims about the same calls only the first is the first to fail") {
    Claims claims;
    claims.made_after(3);
    CHECK(claims.is_first_to_fail());
    claims.made_after(3);
    CHECK(!claims.is_first_to_fail());
    claims.made_after(1); // aside
    CHECK(!claims.is_first_to_fail());
    claims.made_after(4);
    CHECK(claims.is_first_to_fail());
    claims.begin_case();
    CHECK(claims.is_first_to_fail());
}

TEST_CASE("failures are told by their functions, unless these are known better or are too many") {
    Claims claims;
    const auto note = [&](std::vector<std::string> functions) {
        Effect effect{.in_general = "`out` is wrong"};
        effect.functions = std::move(functions);
        claims.note_failure(effect);
    };
    note({"make", "forward", "state"});
    note({"make", "load"});
    note({"free"});
    note({});
    note({"free", "make", "load", "sum"});
    CHECK(claims.take_what_failures_share({}).empty()); // all have failed in calls of too many
    note({"make", "forward", "state"});
    note({"make", "load"});
    note({"free"});
    const std::map<std::string, std::string> shared = claims.take_what_failures_share({"load"});
    CHECK(shared == std::map<std::string, std::string>{{"free", "`out` is wrong"},
                                                       {"make, forward and state", "`out` is wrong"}});
    CHECK(claims.take_what_failures_share({}).empty()); // taken
}

#include "call_facts.h"

#include <doctest/doctest.h>

using namespace harness;

TEST_CASE("a threshold is the smallest size that fails, where all larger ones fail and no smaller one") {
    CHECK(what_failures_share({call(2, false), call(8, false), call(9, true), call(30, true)}) ==
          "only if C is 9 or more");
    CHECK(what_failures_share({call(2, false), call(9, true), call(30, false)}).empty());
}

TEST_CASE("a call that cannot show a use of memory past an end says nothing of it") {
    const auto past_end = [](std::size_t C, std::size_t number) {
        CallFacts facts = call(C, true, {}, number);
        facts.effects = {past_end_is_used};
        return facts;
    };
    // Of calls 1 to 8, these have their arguments in slots: 2, 3, 5 and 8.
    const std::vector<CallFacts> others{call(4, false, {}, 3), call(10, false, {}, 4), call(9, false, {}, 6),
                                        call(12, false, {}, 8)};
    std::vector<CallFacts> calls = others;
    calls.push_back(past_end(6, 2));
    calls.push_back(past_end(7, 5));
    CHECK(what_failures_share(calls).find("only if C is not a multiple of 4") == 0);
    calls.back().effects = {"the call does not return"};
    calls[4].effects = {"the call does not return"};
    CHECK(what_failures_share(calls).find("not a multiple of 4") == std::string::npos);
}

TEST_CASE("a remainder explains only what it explains without exception") {
    CHECK(what_failures_share({call(4, false), call(8, false), call(5, true), call(6, true),
                               call(11, true)}) == "only if C is not a multiple of 4");
    CHECK(what_failures_share({call(4, true), call(8, false), call(5, true), call(12, false), call(3, false)})
              .empty());
}

TEST_CASE("a circumstance is named where every failing call has it and no passing one") {
    CHECK(what_failures_share({call(3, false), call(3, true, {"an id repeats"}), call(4, false, {"gaps"})}) ==
          "only if an id repeats");
    CHECK(what_failures_share({call(3, false, {"an id repeats"}), call(3, true, {"an id repeats"})}).empty());
}

TEST_CASE("a first call that passes where all later ones fail") {
    CHECK(what_failures_share({call(3, false, {}, 1), call(3, true, {}, 2), call(3, true, {}, 3)}) ==
          "only if it is not the first call");
    const auto later = [](std::size_t C, bool failed) { return call(C, failed, {}, 2); };
    CHECK(what_failures_share({call(3, false, {}, 1), later(3, false), later(9, true), later(12, true),
                               call(12, false, {}, 1), later(4, false)})
              .empty()); // the first ones that pass may be so for their size
    CallFacts fails_alone = later(9, true);
    fails_alone.passes_alone = false;
    CHECK(
        what_failures_share({call(3, false, {}, 1), fails_alone, call(9, true, {}, 3)}).find("first call") ==
        std::string::npos);
}

TEST_CASE("what comes of earlier calls is said where every failing call that was made again alone passed") {
    const auto alone = [](std::size_t C, std::optional<bool> passes, std::size_t number = 2) {
        CallFacts facts = call(C, true, {}, number);
        facts.passes_alone = passes;
        return facts;
    };
    const CallFacts passing = call(4, false, {}, 5), other = call(5, false, {}, 6);
    CHECK(what_failures_share({passing, alone(3, true), alone(5, {}), other}) ==
          "only after other calls; made again with none before, 1 of 1 passes");
    CHECK(what_failures_share({alone(3, true), alone(5, true)}) ==
          "only after other calls; made again with none before, 2 of 2 pass");
    CallFacts repeated = alone(3, true);
    repeated.circumstances = {"an id repeats"};
    CHECK(what_failures_share({repeated, passing}) ==
          "only if an id repeats; made again with none before, 1 of 1 passes");
    CHECK(what_failures_share({passing, alone(3, true), alone(5, false), other}).empty());
    CHECK(what_failures_share({passing, alone(3, true), alone(5, {}, 1), other}).empty()); // the first failed
}

TEST_CASE("two properties together may single the failing calls out") {
    CHECK(what_failures_share({call(3, false), call(514, true), call(513, true), call(516, false),
                               call(1025, true)}) == "only if C is not a multiple of 4 and C is 513 or more");
}

TEST_CASE("a number beyond 2^53 is said to be near to what it is near to") {
    const auto with_offset = [](double offset, bool failed) {
        CallFacts facts = call(3, failed);
        facts.numbers["offset"] = offset;
        return facts;
    };
    const auto failing_at = [&](double offset) {
        return what_failures_share({with_offset(1, false), with_offset(offset, true), with_offset(2, false),
                                    with_offset(offset, true), with_offset(3, false)});
    };
    CHECK(failing_at(static_cast<double>(~std::uint64_t{0})) == "only if `offset` is about 2^64");
    CHECK(failing_at(0x1p53 - 1) == "only if `offset` is 9007199254740991");
}

TEST_CASE("nothing is said where all calls fail, or none") {
    CHECK(what_failures_share({call(3, true), call(4, true)}).empty());
    CHECK(what_failures_share({call(3, false), call(4, false)}).empty());
    CHECK(what_failures_share({}).empty());
}

TEST_CASE("a number explains by its size or by being zero, and only if every call has it") {
    const auto with = [](double p, bool failed) {
        return CallFacts{Extents{{"C", 3}}, {}, 1, failed, {{"p", p}}, {}, false};
    };
    CHECK(what_failures_share({with(0.25, false), with(0.5, true), with(0.75, true)}) ==
          "only if `p` is 0.5 or more");
    CHECK(what_failures_share({with(0.25, false), with(0, true), with(0, true)}) == "only if `p` is 0");
    CHECK(
        what_failures_share({with(0.25, false), with(0.5, true), with(0.75, true), call(3, false)}).empty());
}

TEST_CASE("a number explains by being a size, where the refusal of another reason comes first") {
    const auto with = [](std::size_t C, double place, bool failed, std::set<std::string> right = {}) {
        CallFacts facts = call(C, failed, std::move(right));
        facts.numbers = {{"place", place}};
        return facts;
    };
    const std::set<std::string> refused{"it has to be refused"};
    CHECK(what_failures_share({with(3, 2, false), with(3, 3, true), with(5, 5, true), with(5, 3, false)}) ==
          "only if `place` is C");
    CHECK(what_failures_share({with(3, 3, true, refused), with(5, 5, true, refused), with(7, 7, false),
                               with(5, 9, false, refused)}) ==
          "only if it has to be refused and `place` is C");
    CHECK(what_failures_share({with(3, 3, true), with(5, 5, true), with(5, 5, false)}).empty());
}

TEST_CASE("a number explains by being one of those that a size counts") {
    const auto with = [](double ignored, bool failed) {
        CallFacts facts = call(5, failed);
        facts.numbers = {{"ignored", ignored}};
        return facts;
    };
    CHECK(what_failures_share({with(-1, false), with(0, true), with(4, true), with(5, false),
                               with(9, false)}) == "only if `ignored` is at least 0 and below C");
    CHECK(what_failures_share({with(-1, false), with(0, true), with(4, true), with(3, false), with(9, false)})
              .empty());
}

TEST_CASE("sizes that only some calls have explain nothing") {
    const CallFacts other{Extents{{"T", 9}}, {}, 1, false, {}, {}, false};
    CHECK(what_failures_share({call(3, false), call(9, true), call(30, true), other}).empty());
}

TEST_CASE("all that an argument holds in every failing call is said, not the first of it") {
    const auto with = [](std::set<std::string> properties, bool failed) {
        return CallFacts{Extents{{"C", 3}}, {}, 1, failed, {}, std::move(properties), false};
    };
    CHECK(what_failures_share({with({}, false), with({"`x` holds a -0", "`x` holds a NaN"}, true)}) ==
          "only if `x` holds a -0 and `x` holds a NaN");
    CHECK(what_failures_share({with({"`x` holds a -0"}, false), with({"`x` holds a -0", "`x` holds a NaN"},
                                                                     true)}) == "only if `x` holds a NaN");
}

TEST_CASE("calls that come to no computing are left aside where they pass, which the words tell") {
    CallFacts refused = call(9, false, {"gaps"});
    refused.refused = true;
    const std::vector<CallFacts> calls{call(3, false), call(4, true, {"gaps"}), call(0, false, {"gaps"}),
                                       refused};
    CHECK(what_failures_share(calls) ==
          "only if gaps (not counting refused calls and calls with an empty size)");
    refused.failed = true;
    CHECK(what_failures_share({call(3, false), call(4, true, {"gaps"}), call(0, false, {"gaps"}), refused}) ==
          "only if C is 4 or more");
}

TEST_CASE("calls with a size of 1 are left aside, too, where many calls fail") {
    const auto with_rows = [](std::size_t R, bool failed, std::set<std::string> circumstances) {
        CallFacts facts = call(4, failed, std::move(circumstances));
        facts.extents.set("R", R);
        return facts;
    };
    const std::string x = "the rows of `x` lie apart", y = "the rows of `y` lie apart";
    std::vector<CallFacts> calls(8, with_rows(3, true, {x}));
    calls.resize(16, with_rows(1, false, {x}));
    calls.resize(20, with_rows(3, false, {x, y}));
    calls.resize(24, with_rows(3, false, {}));
    CHECK(what_failures_share(calls) == "only if the rows of `x` lie apart and the rows of `y` do not lie "
                                        "apart (not counting refused calls and calls with a size of 0 or 1)");
    calls.resize(27, with_rows(3, false, {x}));
    CHECK(what_failures_share(calls).empty());
    calls.assign(8, with_rows(3, true, {x}));
    calls.resize(16, with_rows(1, false, {x}));
    CallFacts narrow = with_rows(3, false, {x});
    narrow.extents.set("C", 1);
    calls.resize(20, narrow);
    calls.resize(24, with_rows(3, false, {}));
    CHECK(what_failures_share(calls) ==
          "only if the rows of `x` lie apart (not counting refused calls and calls with a size of 0 or 1)");
    calls.assign(7, with_rows(3, true, {x}));
    calls.resize(15, with_rows(1, false, {x}));
    calls.resize(19, with_rows(3, false, {x, y}));
    calls.resize(23, with_rows(3, false, {}));
    CHECK(what_failures_share(calls).empty()); // too few
}

TEST_CASE("up to three circumstances beside each other, each of several failing calls and no passing one") {
    std::vector<CallFacts> calls;
    for (const char* words : {"a gap", "a transposed axis", "an axis of stride 0"})
        for (const std::size_t C : {3, 4})
            calls.push_back(call(C, true, {words}));
    for (const std::size_t C : {3, 4, 5})
        calls.push_back(call(C, false));
    CHECK(what_failures_share(calls) == "only if a gap, or if a transposed axis, or if an axis of stride 0");
    std::vector<CallFacts> of_a_single_call = calls;
    of_a_single_call.push_back(call(4, true, {"a fourth"}));
    CHECK(what_failures_share(of_a_single_call).empty());
    std::vector<CallFacts> with_a_fourth = of_a_single_call;
    with_a_fourth.push_back(call(3, true, {"a fourth"}));
    CHECK(what_failures_share(with_a_fourth).empty());
    calls.push_back(call(3, false, {"a gap"}));
    CHECK(what_failures_share(calls).empty());
}

TEST_CASE("a short cut that asks one argument for gaps and forgets another") {
    const std::string in_x = "the rows of `x` lie apart", in_out = "the rows of `out` lie apart";
    CHECK(what_failures_share({call(3, false), call(3, false, {in_x}), call(3, true, {in_out}),
                               call(4, true, {in_out}), call(4, false, {in_x, in_out})}) ==
          "only if the rows of `out` lie apart and the rows of `x` do not lie apart");
    CHECK(what_failures_share({call(3, true), call(3, false, {in_x})}).empty()); // says nothing by itself
}

TEST_CASE("what a long argument holds is not known and neither shows nor hides anything") {
    const auto with = [](std::set<std::string> properties, bool failed) {
        return CallFacts{Extents{{"C", 3}}, {}, 1, failed, {}, std::move(properties), false};
    };
    CallFacts long_one = with({}, true);
    long_one.undescribed = {"ids"};
    const std::string twice = "`ids` holds an id more than once";
    CHECK(what_failures_share({with({}, false), with({twice}, true), long_one}) == "only if " + twice);
    long_one.undescribed = {"x"};
    CHECK(what_failures_share({with({}, false), with({twice}, true), long_one}).empty());
}

TEST_CASE("a number explains by its value unless it is the usual one") {
    const auto with = [](double p, bool failed) {
        return CallFacts{Extents{{"C", 3}}, {}, 1, failed, {{"p", p}}, {}, false};
    };
    std::vector<CallFacts> calls{with(0.25, false), with(0.5, true), with(0.5, true), with(0.75, false)};
    calls.push_back(with(1, false));
    CHECK(what_failures_share(calls) == "only if `p` is 0.5");
    calls = {with(0.25, false), with(0.5, true), with(0.5, true), with(0.75, false)};
    calls.push_back(with(0.5, true));
    CHECK(what_failures_share(calls).empty());
}

TEST_CASE("a number of the result is called what it is") {
    const auto with = [](double result, bool failed) {
        return CallFacts{{}, {}, 1, failed, {{"the right result", result}}, {}, false};
    };
    CHECK(what_failures_share({with(3, false), with(300, true), with(500, true)}) ==
          "only if the right result is 300 or more");
}

TEST_CASE("of what has much in common, more than one failing call is asked for") {
    CallFacts failing = call(3, true, {"a load came before"});
    failing.least_failures = 3;
    CallFacts passing = call(3, false);
    passing.least_failures = 3;
    CHECK(what_failures_share({failing, failing, passing}).empty());
    CHECK(what_failures_share({failing, failing, failing, passing}) == "only if a load came before");
}

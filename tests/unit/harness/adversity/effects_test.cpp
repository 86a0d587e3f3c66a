// What kind of wrong came of failing calls.
#include "call_facts.h"

#include <doctest/doctest.h>

using namespace harness;

TEST_CASE("of several outputs the only wrong one is named, where the others have been right") {
    const auto with = [](std::set<std::string> wrong, std::set<std::string> right) {
        CallFacts facts = call(3, true);
        facts.wrong = std::move(wrong), facts.right = std::move(right);
        return facts;
    };
    CHECK(what_failures_share({with({"dx"}, {"dgain"}), with({"dx"}, {})}) ==
          "of its outputs only `dx` is wrong");
    CHECK(what_failures_share({with({"dx", "dgain"}, {"loss"}), with({"dx"}, {"dgain", "loss"})}) ==
          "`loss` is right and another output wrong");
    CHECK(what_failures_share({with({"dx"}, {"dgain"}), with({"dgain"}, {"dx"})}).empty());
    CHECK(what_failures_share({with({"dx", "dgain"}, {"dbias"}), with({"dx"}, {"dgain"})}).empty());
    CHECK(what_failures_share({with({"dx"}, {}), with({"dx"}, {})}).empty());
}

TEST_CASE("the same kind of wrong in all failing calls is said, with and without a cause") {
    const auto wrong = [](CallFacts call, std::set<std::string> effects) {
        call.effects = std::move(effects);
        return call;
    };
    const std::string signs = "zeros in `out` have the wrong sign", numbers = "`out` holds a number";
    CHECK(what_failures_share({call(4, false), wrong(call(0, true), {signs}),
                               wrong(call(0, true), {signs})}) == "only if C = 0: " + signs);
    const CallFacts odd = wrong(call(5, true), {signs}), even = wrong(call(6, true), {signs});
    CHECK(what_failures_share({call(5, false), call(6, false), odd, even}) == signs);
    CHECK(what_failures_share({call(5, false), call(6, false), odd, wrong(call(6, true), {numbers})}) ==
          numbers + ", or " + signs);
    CHECK(what_failures_share({call(5, false), call(6, false), odd,
                               wrong(call(6, true), {signs, numbers})}) == numbers + ", or " + signs);
    CHECK(what_failures_share({call(5, false), call(6, false), odd, wrong(call(6, true), {numbers}),
                               wrong(call(6, true), {"a third"})})
              .empty());
    CHECK(what_failures_share({call(5, false), call(6, false), odd, wrong(call(6, true), {})}).empty());
}

namespace {

/// A failing call whose output `out` is wrong in these places, as {row, column}.
CallFacts wrong_at(std::uint64_t rows, std::uint64_t cols,
                   std::vector<std::pair<std::uint64_t, std::uint64_t>> where) {
    CallFacts facts = call(cols, true);
    facts.where = {"out", Places(rows, cols)};
    for (const auto& [row, col] : where)
        facts.where.places.add(row, col);
    return facts;
}

} // namespace

TEST_CASE("where no kind of wrong is shared, the place may be") {
    CHECK(what_failures_share({wrong_at(6, 3, {{4, 0}, {5, 1}}), wrong_at(9, 3, {{8, 2}})}) ==
          "only rows of `out` after the last whole block of 4 are wrong");
    CHECK(what_failures_share({wrong_at(6, 3, {{5, 0}}), wrong_at(9, 3, {{8, 2}})}) ==
          "only the last row of `out` is wrong");
    CHECK(what_failures_share({wrong_at(6, 4, {{5, 1}, {0, 3}}), wrong_at(9, 8, {{8, 7}})}) ==
          "only odd columns of `out` are wrong");
    CHECK(what_failures_share({wrong_at(70000, 1, {{65536, 0}}), wrong_at(80000, 1, {{66000, 0}})}) ==
          "`out` is right up to row 65535");
    CHECK(what_failures_share({wrong_at(6, 3, {{0, 0}, {5, 1}}), wrong_at(9, 3, {{8, 2}})}).empty());
}

TEST_CASE("wrong rows may begin where a size says") {
    const CallFacts three = wrong_at(9, 3, {{3, 0}, {4, 1}}), five = wrong_at(9, 5, {{5, 0}, {8, 1}});
    CHECK(what_failures_share({three, five}) == "only rows of `out` from C on are wrong");
    CHECK(what_failures_share({three, three}).empty()); // which may be chance
    CHECK(what_failures_share({three, wrong_at(9, 5, {{6, 0}, {8, 1}})}).empty());
    CHECK(what_failures_share({three, wrong_at(9, 0, {{0, 0}, {8, 1}})}).empty());
}

TEST_CASE("what came of most calls is said with their number where there are many") {
    CallFacts wrong_numbers = call(3, true);
    wrong_numbers.effects = {"numbers are wrong"};
    std::vector<CallFacts> calls(9, wrong_numbers);
    calls.resize(12, call(3, true));
    CHECK(what_failures_share(calls) == "numbers are wrong (in 9 of 12 of them)");
    calls.push_back(call(3, true));
    CHECK(what_failures_share(calls).empty()); // of less than three in four
    calls.assign(7, wrong_numbers);
    calls.push_back(call(3, true));
    CHECK(what_failures_share(calls).empty()); // too few
}

TEST_CASE("what is wrong in general is said where nothing better is known") {
    CallFacts mean = call(3, true);
    mean.in_general = "the mean is wrong";
    CHECK(what_failures_share({mean}) == "the mean is wrong");
    CallFacts wrong_numbers = call(3, true);
    wrong_numbers.effects = {"numbers are wrong"};
    CHECK(what_failures_share({mean, wrong_numbers}) == "numbers are wrong, or the mean is wrong");
    CHECK(what_failures_share({mean, call(3, true)}).empty());
    CallFacts repeated = mean;
    repeated.circumstances = {"an id repeats"};
    CHECK(what_failures_share({repeated, call(3, false)}) == "only if an id repeats"); // which says more
    mean.where = wrong_at(9, 3, {{8, 2}}).where;
    CHECK(what_failures_share({mean, wrong_at(6, 3, {{5, 1}})}) == "only the last row of `out` is wrong");
}

TEST_CASE("a place says nothing where no other place could be wrong, or only one call failed") {
    CHECK(what_failures_share({wrong_at(1, 1, {{0, 0}}), wrong_at(1, 1, {{0, 0}})}).empty());
    CHECK(what_failures_share({wrong_at(6, 3, {{5, 0}, {5, 1}})}).empty());
    CHECK(what_failures_share({wrong_at(6, 3, {{5, 0}}), wrong_at(6, 3, {{5, 1}})}).empty()); // of one shape
    CallFacts other = wrong_at(9, 3, {{8, 2}});
    other.where.output = "dx";
    CHECK(what_failures_share({wrong_at(6, 3, {{5, 0}}), other}).empty());
    CallFacts number = call(3, true); // a result that is no table
    number.where.output = "counted";
    CHECK(what_failures_share({number, number}).empty());
    CallFacts nowhere = call(3, true);
    CHECK(what_failures_share({wrong_at(6, 3, {{5, 0}}), nowhere}).empty());
}

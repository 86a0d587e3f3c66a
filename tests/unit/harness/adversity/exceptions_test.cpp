// What failing calls share although some passing ones have it, too.
#include "call_facts.h"

#include <doctest/doctest.h>

using namespace harness;

namespace {

/// Failing and passing calls of odd and even widths.
std::vector<CallFacts> widths(int odd_failing, int odd_passing, int even_passing) {
    std::vector<CallFacts> calls;
    for (int i = 0; i < odd_failing; ++i)
        calls.push_back(call(static_cast<std::size_t>(3 + 4 * i), true));
    for (int i = 0; i < odd_passing; ++i)
        calls.push_back(call(static_cast<std::size_t>(5 + 4 * i), false));
    for (int i = 0; i < even_passing; ++i)
        calls.push_back(call(static_cast<std::size_t>(2 + 2 * i), false));
    return calls;
}

} // namespace

TEST_CASE("what many failing calls share may have exceptions among the passing ones, which are counted") {
    CHECK(what_failures_share(widths(9, 3, 12)) == "only if C is not a multiple of 2 (9 of 12 such calls)");
    std::vector<CallFacts> with_empty = widths(9, 3, 12);
    with_empty.push_back(call(0, false));
    CHECK(what_failures_share(with_empty) == "only if C is not a multiple of 2 (9 of 12 such calls; not "
                                             "counting refused calls and calls with an empty size)");
    CHECK(what_failures_share(widths(7, 2, 12)).empty()); // seven have many things in common
    CHECK(what_failures_share(widths(9, 4, 12)).empty()); // more than a quarter of them pass
    CHECK(what_failures_share(widths(12, 4, 3)).empty()); // it sets too few of the passing ones apart
    std::vector<CallFacts> one_even = widths(9, 3, 12);
    one_even.push_back(call(40, true));
    CHECK(what_failures_share(one_even).empty()); // a failing call has it not
}

TEST_CASE("circumstances beside each other may have exceptions, too") {
    std::vector<CallFacts> calls;
    for (std::size_t i = 0; i < 5; ++i) {
        calls.push_back(call(8 * i + 8, true, {"a gap"}));
        calls.push_back(call(8 * i + 8, true, {"a NaN"}));
        calls.push_back(call(8 * i + 8, false));
    }
    calls.push_back(call(8, false, {"a gap"}));
    CHECK(what_failures_share(calls) == "only if a NaN, or if a gap (10 of 11 such calls)");
}

TEST_CASE("two properties together may have exceptions, fewer than one alone") {
    std::vector<CallFacts> calls;
    for (std::size_t i = 0; i < 10; ++i) {
        calls.push_back(call(16 * i + 17, true, {"a gap"}));
        calls.push_back(call(16 * i + 16, false, {"a gap"}));
        calls.push_back(call(16 * i + 17, false));
    }
    calls.push_back(call(23, false, {"a gap"}));
    CHECK(what_failures_share(calls) == "only if a gap and C is not a multiple of 2 (10 of 11 such calls)");
    calls.push_back(call(29, false, {"a gap"}));
    CHECK(what_failures_share(calls).empty());
}

TEST_CASE("exceptions are not offered where failing calls pass by themselves") {
    std::vector<CallFacts> calls = widths(9, 3, 12);
    for (CallFacts& each : calls)
        each.number = 2;
    calls.front().passes_alone = true;
    CHECK(what_failures_share(calls) == "only after other calls; made again with none before, 1 of 1 passes");
}

// What a driver says of calls that a suite makes by hand.
#include "fixture_run.h"

namespace {

/// What the failing calls of these cases have in common.
std::vector<std::string> shared(const std::vector<std::string>& tests) {
    std::vector<std::string> says;
    for (const Event& event : run(tests).events)
        if (const auto* share = std::get_if<FailuresShare>(&event))
            says.push_back(share->function + ": " + share->says);
    return says;
}

} // namespace

TEST_CASE("what kind of wrong it is, is said of a function that a suite calls by hand") {
    CHECK(shared({"halves are small"}) == std::vector<std::string>{"half: halves are too small"});
    CHECK(shared({"half of nothing is one"}) == std::vector<std::string>{"half: `half` is wrong"});
    CHECK(shared({"halves are small", "half of nothing is one"}) ==
          std::vector<std::string>{"half: `half` is wrong, or halves are too small"});
    CHECK(shared({"halves are rounded"}) ==
          std::vector<std::string>{"half: it does not hold that halves are rounded"});
    CHECK(shared({"half: of 5 is 3"}).empty()); // the numbers of a hidden test stay hidden
    CHECK(
        shared({"halves are small", "half of nothing is one", "halves are rounded"}).empty()); // three kinds
}

TEST_CASE("a claim is about the calls since the one before, and the first that fails explains the others") {
    CHECK(shared({"halves are small, and sums are right"}) ==
          std::vector<std::string>{"half: halves are too small"});
    CHECK(shared({"halves are small, or sums"}) ==
          std::vector<std::string>{"add and half: halves are too small"});
    CHECK(shared({"a row is negated"}) == std::vector<std::string>{"negate_rows: `row` is wrong"});
    CHECK(shared({"a row is marked after a sum"}) ==
          std::vector<std::string>{"mark_row: a valid call is rejected"});
    CHECK(shared({"the submission throws"}) ==
          std::vector<std::string>{"throw_exception: the call does not return"});
    // One of these calls is made again, aside, where it is the first.
    CHECK(shared({"long rows are to be left alone"}) ==
          std::vector<std::string>{
              "negate: only if C is 9 or more: `out` is written to where it has to stay as it was"});
    CHECK(shared({"halves are small after much else"}).empty());
    CHECK(shared({"halves are small after much else", "halves are small"}).empty());
    CHECK(shared({"prints and dies"}) == std::vector<std::string>{"abort_now: the call does not return"});
}

TEST_CASE("gaps that are written and brought back are those of an argument") {
    CHECK(shared({"gaps are borrowed"}) ==
          std::vector<std::string>{"negate: what lies between the rows of `out` is written to"});
}

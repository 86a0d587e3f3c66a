// Objects that a submission makes: they live in its worker, and the driver knows their numbers.
#include "bound.h"
#include "proxies.h"

#include <doctest/doctest.h>

using namespace contract;

TEST_CASE_FIXTURE(Bound, "objects live from call to call, each with its own state") {
    const auto first = subject::make_counter(10);
    const auto second = subject::make_counter(20);
    REQUIRE(first.valid());
    CHECK(subject::advance(first) == 10);
    CHECK(subject::advance(first) == 11);
    CHECK(subject::advance(second) == 20);
    CHECK(subject::advance(first) == 12);
    CHECK_FALSE(subject::make_nothing().valid());
}

TEST_CASE_FIXTURE(Bound, "an object that was never made is refused, not invented") {
    CHECK_THROWS_AS(subject::advance(subject::Object<Counter>{77}), subject::LearnerThrew);
}

TEST_CASE_FIXTURE(Bound, "an object ends when it is destroyed, and no other does") {
    const auto first = subject::make_counter(10);
    const auto second = subject::make_counter(20);
    CHECK(subject::counters_alive() == 2);
    subject::make_counter.destroy(first);
    CHECK(subject::counters_alive() == 1);
    CHECK(subject::advance(second) == 20);
    CHECK_THROWS_AS(subject::advance(first), subject::LearnerThrew);
    const auto third = subject::make_counter(30);
    CHECK(third.id != second.id);
    CHECK(subject::advance(third) == 30);
    CHECK(subject::advance(second) == 21);
}

TEST_CASE_FIXTURE(Bound, "objects end with their test case") {
    const auto counter = subject::make_counter(1);
    next_case();
    CHECK_THROWS_AS(subject::advance(counter), subject::LearnerThrew);
}

TEST_CASE_FIXTURE(Bound, "a transcript tells whether an object was made, not which number it has") {
    subject::make_counter(1);
    const subject::Transcript first = session().transcript();
    next_case();
    subject::make_nothing();
    subject::make_counter(5);
    subject::make_counter(5);
    const auto& seen = session().transcript().observations();
    CHECK(seen[1].message == seen[2].message);
    CHECK(seen[1].message == first.observations()[0].message);
    CHECK(seen[0].message != seen[1].message);
    CHECK(seen[1].outputs.empty());
}

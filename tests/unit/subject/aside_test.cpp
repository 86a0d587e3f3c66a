// Calls apart from the running case.
#include "bound.h"
#include "proxies.h"

#include <doctest/doctest.h>

TEST_CASE_FIXTURE(Bound, "calls made aside have a worker of their own, and leave the case as it was") {
    const auto counter = subject::make_counter(10);
    CHECK(subject::advance(counter) == 10);
    const std::size_t calls = session().transcript().observations().size();
    const bool made = session().aside(0, [&] {
        CHECK_THROWS_AS(subject::advance(counter), subject::LearnerThrew); // it has no objects yet
        CHECK(subject::add(2, std::int64_t{40}) == 42);
    });
    CHECK(made);
    CHECK(session().transcript().observations().size() == calls);
    CHECK(subject::advance(counter) == 11);
}

TEST_CASE_FIXTURE(Bound, "a call that is lost aside is not lost for the case") {
    const auto counter = subject::make_counter(10);
    CHECK_THROWS_AS(session().aside(0, [] { throw subject::CallLost{}; }), subject::CallLost);
    CHECK(subject::advance(counter) == 10);
}

TEST_CASE("where all cases share a worker, no call is made aside") {
    Bound bound(FIXTURE_WORKER, model::Check::none, false);
    bool made = false;
    CHECK_FALSE(bound.session().aside(0, [&] { made = true; }));
    CHECK_FALSE(made);
}

#include "coursework/deadline.h"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace std::chrono_literals;
using coursework::from_utc;
using coursework::Instant;
using coursework::late_factor;
using coursework::LatePolicy;
using coursework::local_time;
using coursework::utc;

namespace {

std::string in_berlin(const char* text) {
    const auto time = local_time(text, "Europe/Berlin");
    return time ? utc(*time) : "none";
}

} // namespace

TEST_CASE("a local time is an hour or two ahead of UTC in Berlin") {
    CHECK(in_berlin("2026-01-31T23:59") == "2026-01-31T22:59:00Z");
    CHECK(in_berlin("2026-07-31T23:59:30") == "2026-07-31T21:59:30Z");
}

TEST_CASE("of a time that clocks show twice, the later is meant; one that they skip is none") {
    CHECK(in_berlin("2026-10-25T02:30") == "2026-10-25T01:30:00Z");
    CHECK(in_berlin("2026-03-29T02:30") == "none");
    CHECK(in_berlin("2026-03-29T03:00") == "2026-03-29T01:00:00Z");
}

TEST_CASE("what is no date is no time, and an unknown zone is an error") {
    for (const char* text : {"2026-02-30T10:00", "2026-01-01", "2026-01-01T10:00+01:00", "soon", ""})
        CHECK_FALSE(local_time(text, "UTC"));
    CHECK_THROWS_AS(local_time("2026-01-01T10:00", "Europe/Atlantis"), std::runtime_error);
}

TEST_CASE("UTC reads back as it was written") {
    const Instant time(1'800'000'000s);
    CHECK(from_utc(utc(time)) == time);
    CHECK_FALSE(from_utc("2026-01-01 10:00"));
}

TEST_CASE("lateness costs for each day that has begun, and nothing within the grace") {
    const Instant deadline(1'000'000s);
    const LatePolicy policy{.grace = 10min, .percent_per_day = 20, .max_days = 2};
    CHECK(late_factor(deadline, deadline, policy) == 1);
    CHECK(late_factor(deadline + 10min, deadline, policy) == 1);
    CHECK(late_factor(deadline + 11min, deadline, policy) == doctest::Approx(0.8));
    CHECK(late_factor(deadline + 24h, deadline, policy) == doctest::Approx(0.8));
    CHECK(late_factor(deadline + 24h + 1s, deadline, policy) == doctest::Approx(0.6));
    CHECK(late_factor(deadline + 49h, deadline, policy) == 0);
}

TEST_CASE("without a deadline nothing is late, and the loss ends at nothing") {
    CHECK(late_factor(Instant(9'000'000s), std::nullopt, {.percent_per_day = 50}) == 1);
    CHECK(late_factor(Instant(0s) + 100 * 24h, Instant(0s), {.percent_per_day = 50}) == 0);
}

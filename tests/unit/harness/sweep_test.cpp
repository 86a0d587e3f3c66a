#include "harness/sweep.h"

#include <doctest/doctest.h>

using namespace harness;
using namespace events;

namespace {

constexpr std::uint32_t look = 16;
constexpr std::uint32_t count = 200;

/// How many seeds a test gets that passes or fails as `failed` says.
template <class Failed>
std::uint32_t seeds_for(bool drew, Failed failed) {
    const Sweep sweep{1, look, count, {}};
    Tally tally;
    while (needs_another_seed(sweep, tally)) {
        ++(failed(tally.passed + tally.failed) ? tally.failed : tally.passed);
        tally.drew = drew;
    }
    return tally.passed + tally.failed;
}

} // namespace

TEST_CASE("a test that fails with every seed gets all of them, one that passes the first ones only") {
    CHECK(seeds_for(true, [](std::uint32_t) { return true; }) == count);
    CHECK(seeds_for(true, [](std::uint32_t) { return false; }) == look);
}

TEST_CASE("two outcomes decide, at the first look or after it") {
    CHECK(seeds_for(true, [](std::uint32_t i) { return i == 5; }) == 6);
    CHECK(seeds_for(true, [](std::uint32_t i) { return i != 5; }) == 6);
    CHECK(seeds_for(true, [](std::uint32_t i) { return i < 150; }) == 151);
}

TEST_CASE("one run decides where the seed was not used") {
    CHECK(seeds_for(false, [](std::uint32_t) { return true; }) == 1);
    CHECK(seeds_for(false, [](std::uint32_t) { return false; }) == 1);
}

TEST_CASE("no seeds, no run") {
    CHECK_FALSE(needs_another_seed({}, {}));
}

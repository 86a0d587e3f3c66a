#include "app/threads.h"

#include <doctest/doctest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>

TEST_CASE("each number is worked on once") {
    std::mutex guard;
    std::multiset<std::size_t> seen;
    app::for_each_index(1000, 4, [&](std::size_t i) {
        const std::lock_guard lock(guard);
        seen.insert(i);
    });
    CHECK(seen.size() == 1000);
    CHECK(std::set<std::size_t>(seen.begin(), seen.end()).size() == 1000);
    app::for_each_index(0, 4, [](std::size_t) { FAIL("there is nothing to do"); });
}

TEST_CASE("the first exception ends the rest and is thrown") {
    std::atomic<int> begun = 0;
    const auto work = [&](std::size_t i) {
        ++begun;
        if (i == 3) throw std::runtime_error("three");
    };
    CHECK_THROWS_WITH_AS(app::for_each_index(1'000'000, 1, work), "three", std::runtime_error);
    CHECK(begun == 4);
}

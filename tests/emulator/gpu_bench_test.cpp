#include "results.h"
#include "workload.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

/// The parts of bench/gpu that need no device: formulas, ids, statistics.
namespace {

using workload::Distribution;
using workload::Shape;

const Shape S1 = workload::shapes()[0], S2 = workload::shapes()[1], S3 = workload::shapes()[2],
            S4 = workload::shapes()[3];

/// At the 4.3 TB/s that an H200 was expected to reach, rounded to a tenth.
double microseconds(std::size_t bytes) {
    return std::round(static_cast<double>(bytes) / 4.3e6 * 10) / 10;
}

/// How many of V tokens N draws are expected to hit: the sum of 1 - (1 - p)^N.
double expected_distinct(const Shape& shape, Distribution distribution) {
    const auto weight = [&](std::size_t v) {
        return distribution == Distribution::zipf ? 1.0 / static_cast<double>(v + 1) : 1.0;
    };
    double whole = 0, hit = 0;
    for (std::size_t v = 0; v < shape.V; ++v)
        whole += weight(v);
    for (std::size_t v = 0; v < shape.V; ++v)
        hit += 1 - std::exp(static_cast<double>(shape.N()) * std::log1p(-weight(v) / whole));
    return hit;
}

} // namespace

TEST_CASE("compulsory bytes give the published lower bounds") {
    CHECK(microseconds(workload::forward_bytes(S1, 7'559, true, 4)) == 12.0);
    CHECK(microseconds(workload::forward_bytes(S2, 36'615, true, 4)) == 73.8);
    CHECK(microseconds(workload::forward_bytes(S2, 15'215, true, 4)) == 58.5);
    CHECK(microseconds(workload::forward_bytes(S3, 36'615, true, 4)) == 153.6);
    CHECK(microseconds(workload::forward_bytes(S4, 50'255, true, 4)) == 411.7);
    CHECK(microseconds(workload::backward_bytes(S1, 7'559)) == 18.1);
    CHECK(microseconds(workload::backward_bytes(S1, 3'360)) == 12.1);
    CHECK(microseconds(workload::backward_bytes(S2, 36'615)) == 100.7);
    CHECK(microseconds(workload::backward_bytes(S3, 36'615)) == 209.7);
    CHECK(microseconds(workload::backward_bytes(S4, 50'255)) == 448.8);
}

TEST_CASE("a lookup reads no positions, and bfloat16 halves what is written") {
    const Shape small{"small", 2, 3, 5, 7};
    CHECK(workload::forward_bytes(small, 4, false, 4) == 4 * 5 * 4 + 6 * 5 * 4 + 6 * 4);
    CHECK(workload::forward_bytes(small, 4, true, 2) == (4 + 3) * 5 * 4 + 6 * 5 * 2 + 6 * 4);
    CHECK(workload::backward_bytes(small, 4) == 6 * 5 * 4 + 2 * 4 * 5 * 4 + 2 * 3 * 5 * 4 + 8 * 6);
}

TEST_CASE("ids lie in the vocabulary and are as diverse as their law says") {
    for (const Distribution law : {Distribution::uniform, Distribution::zipf}) {
        const auto ids = workload::make_ids(S2, law);
        CHECK(ids.size() == S2.N());
        CHECK(*std::ranges::min_element(ids) >= 0);
        CHECK(*std::ranges::max_element(ids) < 50'257);
        const double expected = expected_distinct(S2, law);
        CHECK(std::abs(static_cast<double>(workload::distinct(ids)) - expected) < 6 * std::sqrt(expected));
    }
    CHECK(workload::distinct(workload::make_ids(S2, Distribution::equal)) == 1);
    // By Zipf's law token 0 has 1 / H(50,257) = 8.76 % of the places.
    const auto ids = workload::make_ids(S2, Distribution::zipf);
    CHECK(std::abs(static_cast<double>(std::ranges::count(ids, 0)) - 0.0876 * 65'536) < 6 * 73);
}

TEST_CASE("what is compared with the CPU begins with the first and ends with the last") {
    CHECK(workload::spread(5, 8) == std::vector<std::size_t>{0, 1, 2, 3, 4});
    CHECK(workload::spread(768, 4) == std::vector<std::size_t>{0, 255, 511, 767});
    CHECK(workload::spread(1, 8) == std::vector<std::size_t>{0});
    CHECK(workload::spread(9, 1) == std::vector<std::size_t>{0});
}

TEST_CASE("quartiles of times in any order") {
    CHECK(results::summarise({5, 1, 3, 2, 4}) == results::Summary{2, 3, 4});
    CHECK(results::summarise({1, 2, 3, 4}) == results::Summary{1.75, 2.5, 3.25});
    CHECK(results::summarise({7}) == results::Summary{7, 7, 7});
}

TEST_CASE("a row is a share of its own copy, and a multiple of its bytes at the fastest copy's rate") {
    const Shape shape{"X", 1, 2, 3, 4};
    const std::string json =
        results::to_json("2000-01-01", {"a \"device\"\n", 12080, 12060, 9, 0}, 99,
                         {{"slow", shape, "zipf", 2, 1000, 20, {7, 8, 9}, {3, 4, 5}, "all"},
                          {"fast", shape, "zipf", 2, 1000, 20, {4, 4, 4}, {2, 2, 2}, "all"}});
    // The fastest copy moved 1000 bytes in 2 us: the bound of both is 2 us.
    CHECK(json.find(R"("device": "a \"device\" ")") != std::string::npos);
    CHECK(json.find(R"("compute_capability": "9.0")") != std::string::npos);
    CHECK(json.find(
              R"("us": {"median": 8, "low": 7, "high": 9}, "copy_us": {"median": 4, "low": 3, "high": 5}, )"
              R"("share_of_copy": 0.5, "lower_bound_us": 2, "times_lower_bound": 4, "verified": "all"})") !=
          std::string::npos);
    CHECK(json.find(R"("share_of_copy": 0.5, "lower_bound_us": 2, "times_lower_bound": 2,)") !=
          std::string::npos);
}

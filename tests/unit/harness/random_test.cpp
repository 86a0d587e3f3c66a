#include "harness/random.h"

#include <array>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <set>

using namespace harness;

TEST_CASE("the stream is SplitMix64's") {
    // The published test vector of seed 1234567.
    Random random(1234567);
    for (const std::uint64_t expected :
         {6457827717110365317ULL, 3203168211198807973ULL, 9817491932198370423ULL, 4593380528125082431ULL,
          16408922859458223821ULL})
        CHECK(random.bits() == expected);
}

TEST_CASE("ranges hold both their ends and nothing beside") {
    Random random(1);
    std::set<std::size_t> sizes;
    std::set<int> integers;
    for (int i = 0; i < 1000; ++i) {
        sizes.insert(random.size(3, 7));
        integers.insert(random.integer(-2, 1));
    }
    CHECK(sizes == std::set<std::size_t>{3, 4, 5, 6, 7});
    CHECK(integers == std::set<int>{-2, -1, 0, 1});
    CHECK(random.size(9, 9) == 9);
}

TEST_CASE("the widest ranges do not overflow") {
    Random random(2);
    bool negative = false;
    bool positive = false;
    for (int i = 0; i < 100; ++i) {
        const auto value = random.integer(std::numeric_limits<std::int64_t>::min(),
                                          std::numeric_limits<std::int64_t>::max());
        negative = negative || value < 0;
        positive = positive || value > 0;
        CHECK(random.integer<std::int64_t>(std::numeric_limits<std::int64_t>::max() - 1,
                                           std::numeric_limits<std::int64_t>::max()) > 0);
        CHECK(random.size(1, ~std::size_t{0}) >= 1);
    }
    CHECK(negative);
    CHECK(positive);
}

TEST_CASE("each value of a small range is equally likely") {
    // 60,000 draws of 6 values: a chi-square of 5 degrees of freedom exceeds 50 once in 10^9 seeds.
    Random random(3);
    std::array<double, 6> count{};
    for (int i = 0; i < 60000; ++i)
        ++count[random.size(0, 5)];
    double chi_square = 0;
    for (const double n : count)
        chi_square += (n - 10000) * (n - 10000) / 10000;
    CHECK(chi_square < 50);
}

TEST_CASE("a range of two thirds of all numbers is not skewed by the remainder") {
    // Without rejection the lower half of [0, 2^64 * 2/3) would come twice as often as the upper half.
    constexpr std::uint64_t most = ~std::uint64_t{0} / 3 * 2;
    Random random(4);
    int low = 0;
    for (int i = 0; i < 10000; ++i)
        low += random.integer<std::uint64_t>(0, most) < most / 2 ? 1 : 0;
    CHECK(std::abs(low - 5000) < 350); // seven standard deviations
}

TEST_CASE("uniform stays in its range, normal has its mean and deviation") {
    Random random(5);
    double sum = 0;
    double squares = 0;
    constexpr int n = 40000;
    for (int i = 0; i < n; ++i) {
        const double u = random.uniform(-1, 2);
        CHECK_MESSAGE((u >= -1 && u < 2), u);
        const double x = random.normal(10, 2);
        REQUIRE(std::isfinite(x));
        sum += x - 10;
        squares += (x - 10) * (x - 10);
    }
    CHECK(std::abs(sum / n) < 7 * 2 / std::sqrt(n));
    CHECK(std::abs(squares / n - 4) < 7 * 4 * std::sqrt(2.0 / n));
}

TEST_CASE("chance 0 never happens and chance 1 always") {
    Random random(6);
    for (int i = 0; i < 100; ++i) {
        CHECK_FALSE(random.chance(0));
        CHECK(random.chance(1));
    }
}

TEST_CASE("streams of a name repeat, and differ by name and by seed") {
    const auto first = [](std::uint64_t seed, const char* name) { return named_stream(seed, name).bits(); };
    CHECK(first(1, "a") == first(1, "a"));
    CHECK(first(1, "a") != first(1, "b"));
    CHECK(first(1, "a") != first(2, "a"));
    CHECK(first(1, "ab") != first(1, "ba"));
    CHECK(first(1, "") != first(1, "a"));
}

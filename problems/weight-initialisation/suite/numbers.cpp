#include "fixtures.h"

using namespace suite;

namespace {

constexpr std::uint64_t golden_gamma = 0x9E3779B97F4A7C15u;

/// The inverse of z ^= z >> shift.
std::uint64_t undo_shift(std::uint64_t z, int shift) {
    std::uint64_t result = z;
    for (int known = shift; known < 64; known += shift)
        result = z ^ (result >> shift);
    return result;
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration (each step doubles the right bits).
std::uint64_t inverse(std::uint64_t odd) {
    std::uint64_t x = odd;
    for (int step = 0; step < 6; ++step)
        x *= 2 - odd * x;
    return x;
}

/// The seed whose output number `index` is `bits`: SplitMix64 is a bijection, so every output can be asked
/// for.
std::uint64_t seed_that_gives(std::uint64_t bits, std::uint64_t index) {
    std::uint64_t z = undo_shift(bits, 31) * inverse(0x94D049BB133111EBu);
    z = undo_shift(z, 27) * inverse(0xBF58476D1CE4E5B9u);
    return undo_shift(z, 30) - (index + 1) * golden_gamma;
}

constexpr std::uint64_t all_ones = ~std::uint64_t{0};

} // namespace

TEST_CASE("the generator gives the published numbers") {
    // Number 1 comes first of all: whoever steps on from the last number may believe that it was number 0.
    expect_equal("random_bits(0, 1)", subject::random_bits(0, 1), std::uint64_t{0x6E789E6AA1B965F4u});
    expect_equal("random_bits(0, 0)", subject::random_bits(0, 0), std::uint64_t{0xE220A8397B1DCDAFu});
    expect_equal("random_bits(0, 2)", subject::random_bits(0, 2), std::uint64_t{0x06C45D188009454Fu});
    expect_equal("random_bits(1234567, 0)", subject::random_bits(1234567, 0),
                 std::uint64_t{6457827717110365317u});
    expect_equal("random_bits(1234567, 1)", subject::random_bits(1234567, 1),
                 std::uint64_t{3203168211198807973u});
    expect_equal("random_bits(2^64 - 1, 2^64 - 1)", subject::random_bits(all_ones, all_ones),
                 std::uint64_t{0xB4D055FCF2CBBD7Bu});
    Random random = harness::random();
    for (int draw = 0; draw < 32; ++draw) {
        const std::uint64_t seed = random.bits(), index = random.bits();
        expect_equal("random_bits of any seed and index", subject::random_bits(seed, index),
                     reference::random_bits(seed, index));
    }
}

TEST_CASE("a uniform number keeps half a step away from zero and one") {
    expect_equal("uniform(0, 0)", subject::uniform(0, 0), 0x1.c4415072f63b9p-1); // 0.88331080821364…
    expect_equal("uniform where all 64 bits are 0", subject::uniform(seed_that_gives(0, 5), 5), 0x1p-53);
    expect_equal("uniform where all 64 bits are 1", subject::uniform(seed_that_gives(all_ones, 9), 9),
                 1 - 0x1p-53);
    Random random = harness::random();
    for (int draw = 0; draw < 32; ++draw) {
        const std::uint64_t seed = random.bits(), index = random.bits();
        expect_equal("uniform of any seed and index", subject::uniform(seed, index),
                     reference::uniform(seed, index));
    }
}

TEST_CASE("the smallest and the largest uniform number do no harm") {
    std::vector<std::uint64_t> seeds;
    for (const std::uint64_t bits : {std::uint64_t{0}, all_ones})
        for (std::uint64_t index = 0; index < 8; ++index) {
            const std::uint64_t extreme =
                seed_that_gives(bits, index); // as draw `index` of the table's own stream
            seeds.push_back(extreme);
            if (index > 1) continue;
            for (std::uint64_t element = 0; element < 4; ++element) // as draw `index` of one element's stream
                seeds.push_back(seed_that_gives(extreme, element));
        }
    for (const std::uint64_t seed : seeds) {
        const auto table = normal_table(4, 4, 1.0f, seed);
        // Box and Muller's radius is at most sqrt(2 * 53 * ln 2) = 8.572; a value beyond 9 has probability
        // 2e-19.
        expect_true(
            "every value is finite and below 9 standard deviations",
            std::all_of(table.cells().begin(), table.cells().end(), [](float x) { return std::fabs(x) < 9; }),
            "values lie too far out");
    }
}

TEST_CASE("numbers of seeds and indices at the ends of 64 bits") {
    Adverse bits("random_bits", subject::random_bits, &reference::random_bits, {}, any_number_64("seed"),
                 any_number_64("index"));
    Adverse uniform("uniform", subject::uniform, &reference::uniform, {}, any_number_64("seed"),
                    any_number_64("index"));
    expect_equal("uniform(0, 1), first of all", subject::uniform(0, 1), reference::uniform(0, 1));
    bits.special_cases();
    bits.history();
    uniform.special_cases();
    uniform.history();
}

// Generators whose tables of different seeds have something in common.
#include "harness/adversity/seeds.h"
#include "harness/random.h"
#include "harness/recorder.h"

#include <doctest/doctest.h>

using namespace harness;

namespace {

/// Element `index` of the stream of a seed.
float drawn(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed * 0xD1B54A32D192ED03ULL + index * 0x8CB92BA72F3D8DD7ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return static_cast<float>((z ^ (z >> 31)) >> 40);
}

using Stream = float (*)(std::uint64_t seed, std::uint64_t index);

std::size_t failures(Stream stream) {
    Recorder::current().begin_case("a case");
    expect_own_numbers("tables", [&](std::uint64_t seed) {
        Drawn tables(1);
        for (std::uint64_t i = 0; i < 64; ++i)
            tables[0].push_back(stream(seed, i));
        return tables;
    });
    // What is said of failing calls tells no seed.
    if (Recorder::current().failed())
        CHECK(Recorder::current().effect().words ==
              std::set<std::string>{"tables are partly the same for two seeds"});
    return Recorder::current().end_case().size();
}

} // namespace

TEST_CASE("tables of seeds that have nothing in common pass") {
    CHECK(failures([](std::uint64_t seed, std::uint64_t i) { return drawn(seed, i); }) == 0);
}

TEST_CASE("a bit of the seed that is not used shows, whichever it is") {
    for (const int bit : {0, 7, 31, 32, 46, 62, 63}) {
        CAPTURE(bit);
        static std::uint64_t unused;
        unused = 1ULL << bit;
        CHECK(failures([](std::uint64_t seed, std::uint64_t i) { return drawn(seed & ~unused, i); }) > 0);
    }
}

TEST_CASE("seeds that differ in several bits may have one stream, as far as nobody uses both") {
    const auto one_for_two = [](std::uint64_t seed, std::uint64_t i) {
        return drawn(seed == 42 + (1ULL << 60) ? 42 - (1ULL << 62) : seed, i);
    };
    CHECK(failures(one_for_two) == 0);
    const auto one_for_a_usual_one = [](std::uint64_t seed, std::uint64_t i) {
        return drawn(seed == 42 + (1ULL << 60) ? 7 : seed, i);
    };
    CHECK(failures(one_for_a_usual_one) > 0);
}

TEST_CASE("a table that is that of another seed moved shows") {
    CHECK(failures([](std::uint64_t seed, std::uint64_t i) { return drawn(0, seed + i); }) > 0);
    CHECK(failures([](std::uint64_t seed, std::uint64_t i) { return drawn(0, seed + (i << 32)); }) > 0);
    CHECK(failures([](std::uint64_t seed, std::uint64_t i) { return drawn(0, seed + (i << 57)); }) > 0);
}

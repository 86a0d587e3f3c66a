#include "subject/regions.h"

#include "subject/arena.h"
#include "subject/canary.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <doctest/doctest.h>
#include <unistd.h>
#include <vector>

using namespace subject;

namespace {

struct Setup {
    Arena arena{1 << 20};
    alignas(16) std::array<std::byte, 1024> memory{};

    Buffer buffer(std::size_t at, std::size_t bytes, int argument, bool writable = false,
                  ElementKind kind = ElementKind::bytes) {
        return {memory.data() + at, bytes, writable, kind, argument};
    }
    std::vector<PlacedRegion> place(const std::vector<Buffer>& buffers) {
        return subject::place(buffers, 4096, arena);
    }
};

} // namespace

TEST_CASE("the arena can neither shrink nor grow") {
    const Arena arena(50000);
    CHECK(arena.bytes() == 53248);
    CHECK(ftruncate(arena.fd(), 4096) == -1);
    CHECK(errno == EPERM);
    CHECK(ftruncate(arena.fd(), 1 << 20) == -1);
    CHECK(errno == EPERM);
    CHECK(ftruncate(arena.fd(), 53248) == 0); // its own size is no change
    arena.base()[53247] = std::byte{1};       // and all of it is there
}

TEST_CASE("an arena knows its own memory") {
    const Arena arena(65536);
    CHECK(arena.contains(arena.base()));
    CHECK(arena.contains(arena.base() + 65535));
    CHECK_FALSE(arena.contains(arena.base() + 65536));
    CHECK_FALSE(arena.contains(nullptr));
}

TEST_CASE("what is written into an arena is there, on memory never touched and on memory used before") {
    std::vector<std::byte> data(300'000);
    for (std::size_t i = 0; i < data.size(); ++i)
        data[i] = static_cast<std::byte>(1 + i * 131 % 255); // never 0
    Arena arena(1 << 20);
    const auto is = [&](std::size_t offset, std::size_t bytes) {
        return std::equal(arena.base() + offset, arena.base() + offset + bytes, data.begin());
    };
    const auto untouched = [&](std::size_t offset) { return arena.base()[offset] == std::byte{0}; };

    arena.write(100'003, data.data(), 200'000); // begins and ends within a page
    CHECK(is(100'003, 200'000));
    CHECK((untouched(100'002) && untouched(300'003)));
    arena.write(310'000, data.data(), 70'000);
    arena.write(310'100, data.data() + 7, 50); // small, into what is there
    CHECK(is(310'000, 100));
    CHECK(std::equal(arena.base() + 310'100, arena.base() + 310'150, data.begin() + 7));
    arena.write(90'000, data.data(), 300'000); // over all of it, and beyond
    CHECK(is(90'000, 300'000));
    CHECK((untouched(89'999) && untouched(390'000)));
    arena.write(arena.bytes() - 80'000, data.data(), 80'000); // to the last byte
    CHECK(is(arena.bytes() - 80'000, 80'000));
    arena.write(400'000, nullptr, 0);
    CHECK(untouched(400'000));
}

TEST_CASE_FIXTURE(Setup, "overlapping buffers share a region and keep their distance") {
    const auto regions = place({buffer(64, 100, 1), buffer(128, 100, 2, true)});
    REQUIRE(regions.size() == 1);
    CHECK(regions[0].bytes == 164);
    CHECK(regions[0].argument == 1);
    CHECK(regions[0].writable);
    CHECK(regions[0].read_only);
    CHECK(locate(regions, memory.data() + 64, 1).offset == 0);
    CHECK(locate(regions, memory.data() + 128, 2).offset == 64);
}

TEST_CASE_FIXTURE(Setup, "a buffer within another, and the same buffer twice, share one region") {
    const auto regions = place({buffer(32, 16, 1), buffer(0, 256, 2, true), buffer(32, 16, 3)});
    REQUIRE(regions.size() == 1);
    CHECK(regions[0].bytes == 256);
    CHECK(regions[0].argument == 1);
    CHECK(locate(regions, memory.data() + 32, 3).offset == 32);
}

TEST_CASE_FIXTURE(Setup, "adjacent buffers stay apart, with canaries between them") {
    const auto regions = place({buffer(0, 64, 1), buffer(64, 64, 2)});
    REQUIRE(regions.size() == 2);
    CHECK(regions[1].offset >= regions[0].offset + 64 + 2 * canary_bytes);
    CHECK(locate(regions, memory.data() + 64, 2).region == 1);
}

TEST_CASE_FIXTURE(Setup, "regions lie in the order of the arguments, wherever the memory lies") {
    const auto regions = place({buffer(512, 16, 1), buffer(0, 16, 2), buffer(256, 16, 3)});
    REQUIRE(regions.size() == 3);
    for (int i = 0; i < 3; ++i)
        CHECK(regions[static_cast<std::size_t>(i)].argument == i + 1);
    CHECK(regions[0].offset < regions[1].offset);
    CHECK(regions[1].offset < regions[2].offset);
}

TEST_CASE_FIXTURE(Setup, "misalignment modulo 16 is the same in the arena") {
    for (std::size_t at = 0; at < 32; ++at) {
        const auto regions = place({buffer(at, 40, 1)});
        CHECK(regions[0].offset % 16 == at % 16);
        CHECK(regions[0].offset >= 4096 + canary_bytes);
    }
}

TEST_CASE_FIXTURE(Setup, "an empty buffer is a region of its own, wherever it points") {
    const std::vector<Buffer> buffers{buffer(0, 64, 1),
                                      buffer(0, 0, 2, true, ElementKind::float32),
                                      {nullptr, 0, true, {}, 3},
                                      {nullptr, 0, false, {}, 4}};
    const auto regions = place(buffers);
    REQUIRE(regions.size() == 4);
    CHECK_FALSE(regions[0].writable); // so a changed input still shows
    CHECK(locate(regions, memory.data(), 1).region == 0);
    CHECK(locate(regions, memory.data(), 2).region == 1);
    CHECK(locate(regions, nullptr, 3).region == no_region);
    CHECK(locate(regions, nullptr, 4).region == no_region);
    CHECK(end_of(regions, 4096) >= regions[3].offset + canary_bytes);
}

TEST_CASE_FIXTURE(Setup, "buffers in the arena are used where they are") {
    const Buffer inside{arena.base() + 65536, 1000, true, ElementKind::float32, 2};
    const auto regions = place({buffer(0, 64, 1), inside});
    REQUIRE(regions.size() == 2);
    CHECK_FALSE(regions[0].in_arena);
    CHECK(regions[1].in_arena);
    CHECK(regions[1].offset == 65536);
    CHECK(end_of(regions, 4096) == regions[0].offset + 64 + canary_bytes);
}

TEST_CASE_FIXTURE(Setup, "a region of several kinds of element is compared as bytes") {
    CHECK(place({buffer(0, 64, 1, true, ElementKind::float32),
                 buffer(32, 64, 2, true, ElementKind::float32)})[0]
              .kind == ElementKind::float32);
    CHECK(place({buffer(0, 64, 1, true, ElementKind::float32),
                 buffer(32, 64, 2, true, ElementKind::float64)})[0]
              .kind == ElementKind::bytes);
}

TEST_CASE("a canary is NaN as float and as double, and never the poison of an output") {
    for (std::size_t offset = 0; offset < (8 << 20); offset += 4) {
        const std::uint32_t word = canary_word(offset);
        REQUIRE(std::isnan(std::bit_cast<float>(word)));
        REQUIRE(std::isnan(std::bit_cast<double>(std::uint64_t{word} << 32)));
        REQUIRE(word != 0x7fdead00U);
        REQUIRE(static_cast<std::int32_t>(word) > 1'000'000'000); // no vocabulary is as large
    }
}

TEST_CASE("a canary is intact until any of its bytes changes") {
    std::array<std::byte, 512> memory{};
    lay_canary(memory.data(), 101);
    CHECK(canary_intact(memory.data(), 101));
    CHECK(memory[100] == std::byte{0});
    CHECK(memory[101 + canary_bytes] == std::byte{0});
    for (std::size_t i = 0; i < canary_bytes; ++i) {
        memory[101 + i] ^= std::byte{1};
        CHECK_FALSE(canary_intact(memory.data(), 101));
        memory[101 + i] ^= std::byte{1};
    }
    CHECK(canary_intact(memory.data(), 101));
}

TEST_CASE("one canary copied over another shows in every word") {
    std::array<std::byte, 4096> memory{};
    for (std::size_t other = 64; other + canary_bytes <= memory.size(); other += 64)
        for (std::size_t word = 0; word < canary_bytes; word += 4) {
            lay_canary(memory.data(), 0);
            lay_canary(memory.data(), other);
            std::memcpy(memory.data() + other + word, memory.data() + word, 4);
            CHECK_FALSE(canary_intact(memory.data(), other));
        }
}

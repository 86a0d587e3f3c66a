#include "subject/digest.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <doctest/doctest.h>
#include <set>
#include <vector>

using subject::Digest;

namespace {

using Bytes = std::vector<std::byte>;

std::uint64_t digest(const Bytes& bytes) {
    Digest all;
    all.add(bytes.data(), bytes.size());
    return all.value();
}

/// Outputs as learners' functions have them, several stripes long and with an end: few values, much order.
std::vector<Bytes> plain_outputs() {
    constexpr std::size_t count = 4 * Digest::stripe / sizeof(float) + 3;
    std::vector<Bytes> all;
    for (const auto value : {+[](std::size_t) { return 0.0F; }, +[](std::size_t) { return 1.0F; },
                             +[](std::size_t i) { return static_cast<float>(i); },
                             +[](std::size_t i) { return i % 2 == 0 ? 0.5F : -0.5F; }}) {
        Bytes bytes(count * sizeof(float));
        for (std::size_t i = 0; i < count; ++i) {
            const float element = value(i);
            std::memcpy(bytes.data() + i * sizeof element, &element, sizeof element);
        }
        all.push_back(bytes);
    }
    return all;
}

void flip(Bytes& bytes, std::size_t bit) {
    bytes[bit / 8] ^= std::byte{1} << bit % 8;
}

} // namespace

TEST_CASE("every bit counts, and each differently") {
    for (Bytes bytes : plain_outputs()) {
        std::set<std::uint64_t> seen{digest(bytes)};
        for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
            flip(bytes, bit);
            CHECK(seen.insert(digest(bytes)).second);
            flip(bytes, bit);
        }
    }
}

TEST_CASE("a change and the same change further on do not make up for each other") {
    for (Bytes bytes : plain_outputs()) {
        const std::uint64_t unchanged = digest(bytes);
        for (std::size_t bit = 0; bit < Digest::stripe * 8; ++bit)
            for (std::size_t other = bit + 32; other < bytes.size() * 8; other += 32) {
                flip(bytes, bit);
                flip(bytes, other);
                REQUIRE(digest(bytes) != unchanged);
                flip(bytes, bit);
                flip(bytes, other);
            }
    }
}

TEST_CASE("order counts: two elements exchanged, all shifted, all reversed") {
    Bytes bytes = plain_outputs()[2];
    std::set<std::uint64_t> seen{digest(bytes)};
    const auto element = [&](std::size_t i) { return bytes.begin() + static_cast<std::ptrdiff_t>(4 * i); };
    const std::size_t count = bytes.size() / 4;
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = i + 1; j < count; ++j) {
            std::swap_ranges(element(i), element(i) + 4, element(j));
            CHECK(seen.insert(digest(bytes)).second);
            std::swap_ranges(element(i), element(i) + 4, element(j));
        }
    for (std::size_t i = 1; i < count; ++i) {
        Bytes turned = bytes;
        std::rotate(turned.begin(), turned.begin() + static_cast<std::ptrdiff_t>(4 * i), turned.end());
        CHECK(seen.insert(digest(turned)).second);
    }
    std::ranges::reverse(bytes);
    CHECK(seen.insert(digest(bytes)).second);
}

TEST_CASE("length counts, of nothing but zeros too") {
    std::set<std::uint64_t> seen;
    for (std::size_t size = 0; size < 5 * Digest::stripe; ++size)
        CHECK(seen.insert(digest(Bytes(size))).second);
}

TEST_CASE("pieces give what the whole gives") {
    for (const Bytes& bytes : plain_outputs())
        for (std::size_t first = 0; first <= bytes.size(); first += Digest::stripe)
            for (std::size_t second = first; second <= bytes.size(); second += Digest::stripe) {
                Digest pieces;
                pieces.add(bytes.data(), first);
                pieces.add(bytes.data() + first, second - first);
                pieces.add(bytes.data() + second, bytes.size() - second);
                CHECK(pieces.value() == digest(bytes));
            }
}

#include "subject/message.h"

#include <array>
#include <cstdint>
#include <doctest/doctest.h>

using subject::Reader;
using subject::Writer;

TEST_CASE("values come out of a message in the order in which they were put") {
    std::array<std::byte, 16> bytes{};
    Writer writer(bytes);
    writer.put(std::int32_t{-5});
    writer.put(std::uint8_t{200});
    writer.put(2.5);
    CHECK(writer.used() == 13);

    Reader reader{std::span(bytes).first(writer.used())};
    CHECK(reader.take<std::int32_t>() == -5);
    CHECK(reader.take<std::uint8_t>() == 200);
    CHECK(reader.take<double>() == 2.5);
}

TEST_CASE("a message holds its last byte and not one more") {
    std::array<std::byte, 8> bytes{};
    Writer writer(bytes);
    writer.put(std::uint64_t{1});
    CHECK_THROWS_AS(writer.put(std::uint8_t{1}), std::length_error);
    CHECK(writer.used() == 8);
    CHECK_THROWS_AS(writer.reserve(~std::size_t{0}), std::length_error);
}

TEST_CASE("reading past the end of a message throws and takes nothing") {
    const std::array<std::byte, 5> bytes{std::byte{1}, std::byte{0}, std::byte{0}, std::byte{0},
                                         std::byte{9}};
    Reader reader(bytes);
    CHECK_THROWS_AS(reader.take<std::uint64_t>(), std::length_error);
    CHECK(reader.take<std::uint32_t>() == 1);
    CHECK_THROWS_AS(reader.take<std::uint16_t>(), std::length_error);
    CHECK(reader.take<std::uint8_t>() == 9);
    CHECK_THROWS_AS(reader.take<std::uint8_t>(), std::length_error);
}

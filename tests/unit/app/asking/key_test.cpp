#include "app/asking/key.h"

#include <doctest/doctest.h>

using asking::Key;
using asking::KeyReader;
using Kind = asking::Key::Kind;

namespace {

std::vector<Kind> kinds(std::string_view bytes) {
    std::vector<Kind> all;
    for (const Key& key : KeyReader().feed(bytes))
        all.push_back(key.kind);
    return all;
}

} // namespace

TEST_CASE("bytes of a terminal become keys") {
    CHECK(kinds("a\r") == std::vector{Kind::text, Kind::enter});
    CHECK(kinds("\x1b[A\x1b[B\x1bOA\x1bOB") == std::vector{Kind::up, Kind::down, Kind::up, Kind::down});
    CHECK(kinds("\t\x1b[Z\x7f\x15\n") ==
          std::vector{Kind::next, Kind::back, Kind::backspace, Kind::clear, Kind::line});
    CHECK(kinds("\x04\x03") == std::vector{Kind::leave, Kind::interrupt});
}

TEST_CASE("a sequence or a character that comes in pieces is one key") {
    KeyReader reader;
    CHECK(reader.feed("\x1b").empty());
    CHECK(reader.feed("[").empty());
    CHECK(reader.feed("A").at(0).kind == Kind::up);
    CHECK(reader.feed("\xc3").empty());
    CHECK(reader.feed("\xa4").at(0).text == "\xc3\xa4");
}

TEST_CASE("a paste of several lines is one text") {
    const auto keys = KeyReader().feed("\x1b[200~7 8\r7 8\x1b[201~\r");
    REQUIRE(keys.size() == 2);
    CHECK(keys[0].text == "7 8\r7 8");
    CHECK(keys[1].kind == Kind::enter);
}

TEST_CASE("what no key stands for is dropped") {
    CHECK(kinds(std::string("\x01\x1b[15~\x1b[99;99X\x1bq\x00", 16)).empty());
}

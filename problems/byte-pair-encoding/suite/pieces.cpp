#include "fixtures.h"

using namespace suite;

namespace {

void expect_split(std::string_view text, const std::vector<std::string>& want) {
    INFO("text: ", std::string(text));
    std::vector<std::size_t> ends;
    for (const std::string& piece : want)
        ends.push_back((ends.empty() ? 0 : ends.back()) + piece.size());
    expect_ends(text, ends);
}

} // namespace

TEST_CASE("words, numbers and signs are pieces, with the blank before them") {
    expect_split("Hello world", {"Hello", " world"});
    expect_split("low lower 2026!", {"low", " lower", " 2026", "!"});
    expect_split("abc123def", {"abc", "123", "def"});
    expect_split("a, b... (c)", {"a", ",", " b", "...", " (", "c", ")"});
    expect_split("", {});
    expect_split(" ", {" "});
    expect_split("x", {"x"});
}

TEST_CASE("endings after an apostrophe are pieces") {
    expect_split("it's", {"it", "'s"});
    expect_split("don't we'll", {"don", "'t", " we", "'ll"});
    expect_split("they're I've I'm he'd", {"they", "'re", " I", "'ve", " I", "'m", " he", "'d"});
    expect_split("IT'S", {"IT", "'", "S"});       // capitals are no such ending
    expect_split("'sale", {"'s", "ale"});         // the ending comes first
    expect_split("x 'sale", {"x", " '", "sale"}); // after a blank it is a sign like others
    expect_split("'l 'r", {"'", "l", " '", "r"});
    expect_split("''s", {"''", "s"});
    expect_split("'", {"'"});
}

TEST_CASE("of several blanks the last one goes with what follows") {
    expect_split("a  b", {"a", " ", " b"});
    expect_split("a   b", {"a", "  ", " b"});
    expect_split("a  ", {"a", "  "});
    expect_split("   ", {"   "});
    expect_split("a\nb", {"a", "\n", "b"});
    expect_split("a\r\nb", {"a", "\r", "\n", "b"});
    expect_split("a\n\n b", {"a", "\n\n", " b"});
    expect_split("a \n1", {"a", " ", "\n", "1"});
    expect_split("a\t !", {"a", "\t", " !"});
    expect_split("a \tb", {"a", " ", "\t", "b"});
}

TEST_CASE("letters, numbers and white space of all scripts") {
    expect_split("\xC3\xA9t\xC3\xA9 na\xC3\xAFve", {"\xC3\xA9t\xC3\xA9", " na\xC3\xAFve"});
    expect_split("\xD0\xBC\xD0\xB8\xD1\x80 42", {"\xD0\xBC\xD0\xB8\xD1\x80", " 42"}); // Cyrillic
    expect_split("\xE4\xB8\x96\xE7\x95\x8C!", {"\xE4\xB8\x96\xE7\x95\x8C", "!"});     // Chinese
    expect_split("x\xC2\xB2", {"x", "\xC2\xB2"});                     // superscript 2: a number
    expect_split("1\xD9\xA3\xE2\x85\xA7", {"1\xD9\xA3\xE2\x85\xA7"}); // Arabic 3, Roman 8
    expect_split("a\xC2\xA0\xC2\xA0"
                 "b",
                 {"a", "\xC2\xA0", "\xC2\xA0", "b"});     // no-break spaces
    expect_split("a\xE3\x80\x80", {"a", "\xE3\x80\x80"}); // ideographic space
    expect_split("hi \xF0\x9F\x98\x80\xF0\x9F\x98\x80", {"hi", " \xF0\x9F\x98\x80\xF0\x9F\x98\x80"}); // emoji
    expect_split("e\xCC\x81", {"e", "\xCC\x81"});             // a combining accent is no letter
    expect_split("\xF0\x9D\x94\xB8z", {"\xF0\x9D\x94\xB8z"}); // a letter of four bytes
}

TEST_CASE("bytes that are no characters are signs") {
    expect_split("a\xFF"
                 "b",
                 {"a", "\xFF", "b"});
    expect_split("a \x80\xBF", {"a", " \x80\xBF"});
    expect_split("\xC3", {"\xC3"});
    expect_split("\xE2\x82"
                 "a",
                 {"\xE2\x82", "a"});
    expect_split("\xC0\xAF\xED\xA0\x80", {"\xC0\xAF\xED\xA0\x80"}); // an overlong slash, a surrogate
    expect_split("a\0b"sv, {"a", std::string(1, '\0'), "b"});
    expect_split("\xF4\x90\x80\x80x", {"\xF4\x90\x80\x80", "x"});
    expect_split("!\xC2\xA1\xFE?", {"!\xC2\xA1\xFE?"});
}

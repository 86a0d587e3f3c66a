#include "vocabulary/byte_alphabet.h"

#include <doctest/doctest.h>
#include <set>

using vocabulary::bytes_of;
using vocabulary::written;

// The pairs are those of GPT-2's published files, in which a blank is Ġ and a line feed Ċ.
TEST_CASE("bytes are written as GPT-2 writes them") {
    CHECK(written(" the") == "\u0120the");
    CHECK(written("\n") == "\u010A");
    CHECK(written(std::string(1, '\0')) == "\u0100");
    CHECK(written("\x7F") == "\u0121");
    CHECK(written("\xA0") == "\u0142");
    CHECK(written("\xAD") == "\u0143"); // the last of the 68 others
    CHECK(written("~\xA1\xFF") == "~\u00A1\u00FF");
}

TEST_CASE("every byte is written in its own way, and read again") {
    std::set<std::string> all;
    for (int byte = 0; byte < 256; ++byte) {
        const std::string one(1, static_cast<char>(byte));
        all.insert(written(one));
        CHECK(bytes_of(written(one)) == one);
    }
    CHECK(all.size() == 256);
}

TEST_CASE("a character that stands for no byte is none") {
    for (const char* text : {" ", "\n", "\u0144", "\u4E2D", "a\xFF", "\xC4"})
        CHECK_FALSE(bytes_of(text));
    CHECK(bytes_of("") == "");
}

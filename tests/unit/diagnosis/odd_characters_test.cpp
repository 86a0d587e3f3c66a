#include "diagnosis/odd_characters.h"

#include <doctest/doctest.h>

using diagnosis::odd_character;

TEST_CASE("what only looks like a character of C++ is told with the one to type, for both compilers") {
    const std::string quote = odd_character("extended character “ is not valid in an identifier");
    CHECK(quote == "“ is not the character of C++ that it looks like: type a plain \" instead.");
    CHECK(odd_character("unexpected character <U+201C>") == quote);
    CHECK(odd_character("character <U+201C> not allowed in an identifier") == quote);
    CHECK(odd_character("extended character ； is not valid in an identifier").find("plain ; instead") !=
          std::string::npos);
}

TEST_CASE("a blank that cannot be seen is told by its number, anything else by itself") {
    CHECK(odd_character("extended character \u00A0 is not valid in an identifier")
              .find("(U+00A0): delete it") != std::string::npos);
    CHECK(odd_character("extended character 🙂 is not valid in an identifier")
              .find("copied from a formatted text") != std::string::npos);
}

TEST_CASE("other messages and forged ones are left alone") {
    for (const char* message :
         {"", "expected ';'", "extended character ", "unexpected character <U+>",
          "unexpected character <U+FFFFFFFFFF>", "unexpected character <U+41>", "#error character <U+201C>"})
        CHECK_MESSAGE(odd_character(message).empty(), message);
}

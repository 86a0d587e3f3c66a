#include "questions/letters.h"

#include "unit/questions/examples.h"

#include <doctest/doctest.h>

using questions::from_letters;

TEST_CASE("one letter or number is one option") {
    for (const char* typed : {"b", "B", "b)", "(b)", " b. ", "2", "2)"})
        CHECK_MESSAGE(from_letters(examples::choice(), typed) == "three", typed);
    for (const char* typed : {"e", "0", "5", "ab", "because", "\x1b[31m", "\xff"})
        CHECK_MESSAGE(!from_letters(examples::choice(), typed), typed);
    CHECK(from_letters(examples::choice(), "  ") == ""); // marking says that it is empty
}

TEST_CASE("several letters may be apart or together") {
    for (const char* typed : {"a d", "ad", "A, D", "1 4", "a)d)"})
        CHECK_MESSAGE(from_letters(examples::several(), typed) == "twelve nine", typed);
    CHECK(from_letters(examples::order(), "c a b") == "copy check find");
    CHECK_FALSE(from_letters(examples::order(), "c a x"));
}

TEST_CASE("pairs are a letter and a number each") {
    for (const char* typed : {"a2 b1 c3", "a2b1c3", "a=2, b=1, c=3"})
        CHECK_MESSAGE(from_letters(examples::pairs(), typed) == "v=columns c=rows t=tokens", typed);
    for (const char* typed : {"a", "a4", "2a", "aa", "a2 b"})
        CHECK_MESSAGE(!from_letters(examples::pairs(), typed), typed);
}

TEST_CASE("what is no choice stays as it is") {
    CHECK(from_letters(examples::number(), "12 KiB") == "12 KiB");
    CHECK(from_letters(examples::text(), "a b") == "a b");
}

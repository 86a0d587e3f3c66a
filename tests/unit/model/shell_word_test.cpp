#include "model/shell_word.h"

#include <doctest/doctest.h>

using model::shell_word;

TEST_CASE("a plain word stays as it is") {
    for (const char* word : {"engine", "./engine", "/usr/bin/engine-2.0", "a@b:c,d%e+f_g"})
        CHECK(shell_word(word) == word);
}

TEST_CASE("a word with anything else in it is quoted whole") {
    CHECK(shell_word("") == "''");
    CHECK(shell_word("my file.cpp") == "'my file.cpp'");
    CHECK(shell_word("it's") == "'it'\\''s'");
    CHECK(shell_word("~") == "'~'");
    CHECK(shell_word("a;b") == "'a;b'");
    CHECK(shell_word("$HOME\n") == "'$HOME\n'");
}

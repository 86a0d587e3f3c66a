#include "questions/words.h"

#include <doctest/doctest.h>

using questions::as_output;

TEST_CASE("blanks and line ends do not matter between separate things") {
    CHECK(as_output("7 8 9\n7 8 9\n") == as_output("  7   8 9\r\n\r\n7\t8 9"));
    CHECK(as_output("[1, 2]") == as_output("[ 1,2 ]"));
    CHECK(as_output("a = 1;") == as_output("a=1;"));
}

TEST_CASE("blanks that keep numbers or words apart matter") {
    CHECK(as_output("7 8") != as_output("78"));
    CHECK(as_output("1 -2") != as_output("1-2"));
    CHECK(as_output("1 .5") != as_output("1.5"));
    CHECK(as_output("out put") != as_output("output"));
    CHECK(as_output("A") != as_output("a"));
}

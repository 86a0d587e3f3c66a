#include "build/lines.h"

#include <doctest/doctest.h>

using build::first_line_in;

TEST_CASE("the innermost line of the learner's own counts, not a library's and not one that is unknown") {
    const auto line = first_line_in("/usr/include/c++/12/bits/stl_vector.h:1123\n"
                                    "??:0\n"
                                    "/work/./lookup.cpp:12 (discriminator 3)\n"
                                    "./lookup.cpp:40\n",
                                    {"lookup.cpp"});
    CHECK(line.file == "lookup.cpp");
    CHECK(line.line == 12);
}

TEST_CASE("no line is named where none is the learner's") {
    CHECK(first_line_in("", {"lookup.cpp"}).line == 0);
    CHECK(first_line_in("??:?\nother.cpp:3\nlookup.cpp:0\nlookup.cpp\n", {"lookup.cpp"}).line == 0);
    CHECK(first_line_in("not_lookup.cpp:3\n", {"lookup.cpp"}).line == 0);
}

#include "bundle/blame.h"

#include <doctest/doctest.h>

namespace {

using Names = std::set<std::string>;

Names blamed(const std::string& output) {
    return bundle::blamed(output,
                          {{"mutant_3_0.cpp", "3"},
                           {"mutant_36_0.cpp", "36"},
                           {"off-by-one.cpp", "off-by-one"},
                           {"base.cpp", "base"}},
                          "base");
}

} // namespace

TEST_CASE("an error is attributed to the owner of the code it is in, or that led to it") {
    CHECK(blamed("mutant_3_0.cpp:5:1: error: 'x' was not declared\nbase.cpp:2:1: note: candidate\n") ==
          Names{"3"});
    // A header's error: included by the shared code, and met through a template in mutant 36.
    CHECK(blamed("In file included from base.cpp:3:\n"
                 "stl_algo.h: In instantiation of 'copy_n':\n"
                 "mutant_36_0.cpp:30:20:   required from 'gather'\n"
                 "base.cpp:38:18:   required from here\n"
                 "stl_algo.h:810:11: error: no type named 'iterator_category'\n") == Names{"36"});
    CHECK(blamed("off-by-one.cpp:1:1: error: a\nscratch/mutant_3_0.cpp:5:1: error: b\n") ==
          Names{"3", "off-by-one"});
}

TEST_CASE(
    "an error in shared code names that code, one without a file an empty name, and a warning is none") {
    CHECK(blamed("base.cpp:2:1: error: expected ';'\n") == Names{"base"});
    CHECK(blamed("cc1plus: error: out of memory\n") == Names{""});
    CHECK(blamed("mutant_3_0.cpp:5:1: warning: unused\n").empty());
    CHECK(blamed("one-off-by-one.cpp:5:1: error: of a file whose name only ends alike\n") == Names{""});
}

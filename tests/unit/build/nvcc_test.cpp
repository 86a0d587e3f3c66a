#include "build/nvcc.h"

#include <doctest/doctest.h>

namespace {

const model::Submission two_lines{"lookup.cu", {{"lookup.cu", "one\ntwo\n"}}};

} // namespace

TEST_CASE("nvcc's errors become diagnostics of the learner's lines") {
    const auto found = build::parse_nvcc_output(
        "lookup.cu(12): error: identifier \"foo\" is undefined\n"
        "      foo(1);\n"
        "      ^\n"
        "lookup.cu(15): error #20013-D: calling a constexpr function\n"
        "lookup.cu(16): warning #177-D: variable \"x\" was declared but never referenced\n"
        "2 errors detected in the compilation of \"lookup.cu\".\n",
        two_lines);
    REQUIRE(found.size() == 2);
    CHECK(found[0].file == "lookup.cu");
    CHECK(found[0].line == 12);
    CHECK(found[0].message == "identifier \"foo\" is undefined");
    CHECK(found[0].severity == model::Severity::error);
    CHECK_FALSE(found[0].explanation.empty());
    CHECK(found[1].line == 15);
    CHECK(found[1].message == "calling a constexpr function");
}

TEST_CASE("what is no error of the learner's file is none") {
    CHECK(build::parse_nvcc_output("nvcc fatal   : Unsupported gpu architecture 'compute_75'\n", two_lines)
              .empty());
    CHECK(build::parse_nvcc_output("/usr/include/x.h(3): error: no\nlookup.cu(x): error: no\nlookup.cu(3)",
                                   two_lines)
              .empty());
    CHECK(build::parse_nvcc_output("", two_lines).empty());
}

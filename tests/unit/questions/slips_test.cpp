#include "questions/slips.h"

#include <doctest/doctest.h>

using questions::agrees;
using questions::slip;

namespace {

bool says(double got, double want, const std::string& unit, const std::string& words) {
    return slip(got, want, 0.005, unit).find(words) != std::string::npos;
}

} // namespace

TEST_CASE("a slip of units is told") {
    CHECK(says(98304, 12288, "bytes", "bits"));
    CHECK(says(12288, 98304, "bits", "bytes"));
    CHECK(says(12.288, 12288, "bytes", "1,000:"));
    CHECK(says(12, 12288, "bytes", "1,024:"));
    CHECK(says(12582912, 12288, "bytes", "1,024:"));
    CHECK(says(12000, 12288, "bytes", "1,000 for 1,024"));
    CHECK(says(0.25, 25, "%", "fraction"));
    CHECK(says(25e6, 25, "", "million"));
}

TEST_CASE("what no slip explains is not explained") {
    CHECK(slip(13000, 12288, 0.005, "bytes").empty());
    CHECK(slip(98304, 12288, 0.005, "rows").empty()); // rows have no bits
    CHECK(slip(0.25, 25, 0.005, "").empty());
    CHECK(slip(5, 0, 0.005, "bytes").empty());
}

TEST_CASE("the tolerance is relative and holds on both sides") {
    CHECK(agrees(1990, 2000, 0.005));
    CHECK(agrees(2010, 2000, 0.005));
    CHECK_FALSE(agrees(1989.9, 2000, 0.005));
    CHECK_FALSE(agrees(2010.1, 2000, 0.005));
    CHECK_FALSE(agrees(-2000, 2000, 0.005));
    CHECK(agrees(-1995, -2000, 0.005));
}

TEST_CASE("without a tolerance rounding in binary is forgiven and nothing else") {
    CHECK(agrees(0.3, 0.1 * 3, 0));
    CHECK_FALSE(agrees(0.3000001, 0.1 * 3, 0));
    CHECK_FALSE(agrees(124439809, 124439808, 0));
    CHECK(agrees(0, 0, 0));
    CHECK_FALSE(agrees(1e-9, 0, 0));
}

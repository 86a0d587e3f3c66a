#include "questions/fill.h"

#include <doctest/doctest.h>

using questions::Digits;
using questions::fill;

TEST_CASE("formulas in a text become their values") {
    CHECK(fill("${n} rows of ${d}: ${n*d*4} bytes", {{"n", 4}, {"d", 768}}, Digits::grouped) ==
          "4 rows of 768: 12,288 bytes");
    CHECK(fill("${n*d*4}", {{"n", 4}, {"d", 768}}, Digits::plain) == "12288");
    CHECK(fill("no formula, {braces} and $ stay", {}, Digits::grouped) == "no formula, {braces} and $ stay");
}

TEST_CASE("whole numbers are exact and others have six digits") {
    CHECK(fill("${x}", {{"x", 3158310912}}, Digits::grouped) == "3,158,310,912");
    CHECK(fill("${x}", {{"x", -1234567}}, Digits::grouped) == "-1,234,567");
    CHECK(fill("${x}", {{"x", -123}}, Digits::grouped) == "-123");
    CHECK(fill("${1/3}", {}, Digits::grouped) == "0.333333");
}

TEST_CASE("a formula without a value, or without an end, is refused") {
    CHECK_THROWS_AS(fill("${missing}", {}, Digits::grouped), questions::FormulaError);
    CHECK_THROWS_AS(fill("${1", {}, Digits::grouped), questions::FormulaError);
}

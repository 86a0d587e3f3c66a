#include "questions/formula.h"

#include <doctest/doctest.h>

using questions::evaluate;
using questions::FormulaError;

TEST_CASE("a formula over variables gives its value") {
    CHECK(evaluate("row*d + col", {{"row", 5}, {"col", 2}, {"d", 3}}) == 17);
    CHECK(evaluate("sqrt(d)", {{"d", 9}}) == 3);
    CHECK(evaluate("2^10", {}) == 1024);
}

TEST_CASE("a formula without a single finite value is refused") {
    for (const char* formula : {"", "row*", "missing + 1", "1/0", "0/0", "1, 2", "(1"})
        CHECK_THROWS_AS(evaluate(formula, {{"row", 1}}), FormulaError);
    CHECK_THROWS_AS(evaluate("1", {{"not a name", 1}}), FormulaError);
}

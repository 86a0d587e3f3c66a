#include "questions/formula.h"

#include "model/errors.h"

#include <doctest/doctest.h>

using questions::evaluate;
using questions::read_number;

TEST_CASE("numbers are read as people write them") {
    CHECK(read_number("1234.5", "") == 1234.5);
    CHECK(read_number("1,234.5", "") == 1234.5);
    CHECK(read_number("124,439,808", "") == 124439808.0);
    CHECK(read_number("1,234,567.25 - 1,000", "") == 1233567.25);
    CHECK(read_number("124_439_808", "") == 124439808.0);
    CHECK(read_number("1e3", "") == 1000.0);
    CHECK(read_number("2.5E-1", "") == 0.25);
    CHECK(read_number("-7", "") == -7.0);
    CHECK(read_number("−7", "") == -7.0);
    CHECK(read_number("+7", "") == 7.0);
    CHECK(read_number(".5", "") == 0.5);
    CHECK(read_number("  = 12 ", "") == 12.0);
}

TEST_CASE("fractions and simple arithmetic are worked out") {
    CHECK(read_number("3/4", "") == 0.75);
    CHECK(read_number("12 * (4 + 1) - 6", "") == 54.0);
    CHECK(read_number("2^20", "") == 1048576.0);
    CHECK(read_number("2**10", "") == 1024.0);
    CHECK(read_number("50,257 × 768", "") == 38597376.0);
    CHECK(read_number("1,024 ÷ 2", "") == 512.0);
}

TEST_CASE("the unit may stand behind the number, and another unit may not") {
    CHECK(read_number("17 elements", "elements") == 17.0);
    CHECK(read_number("17Elements", "elements") == 17.0);
    CHECK(read_number("17", "elements") == 17.0);
    CHECK_FALSE(read_number("17 rows", "elements"));
    CHECK_FALSE(read_number("5 MB", "B"));
    CHECK_FALSE(read_number("elements", "elements"));
}

TEST_CASE("per cent is a hundredth unless the unit says per cent") {
    CHECK(read_number("12.5 %", "") == 0.125);
    CHECK(read_number("12.5%", "%") == 12.5);
    CHECK(read_number("12.5", "%") == 12.5);
}

TEST_CASE("what is no single number is not read") {
    for (const char* text :
         {"",      " ",   "seven", "1,2",   "12,5",   "1,234,56", "1 2", "1..2", "1e",  "(1",    "1)",
          "()",    "1/0", "0/0",   "1e999", "sin(1)", "_pi",      "_e",  "a=1",  "1;2", "\"1\"", "0x10",
          "1?2:3", "1<2", "nan",   "inf",   "1%2",    "%",        "=",   "--",   "5!",  "1e5e5"})
        CHECK_MESSAGE(!read_number(text, ""), text);
}

TEST_CASE("long input is refused at once") {
    CHECK_FALSE(read_number(std::string(201, '1'), ""));
    CHECK_FALSE(read_number(std::string(1 << 20, '('), ""));
    CHECK_FALSE(read_number(std::string(199, '1').append("x"), "")); // linear, no backtracking
    CHECK(read_number(std::string(99, '(').append("1").append(99, ')'), "") == 1.0);
}

TEST_CASE("our formulas use their variables") {
    CHECK(evaluate("row*d + col", {{"row", 5}, {"col", 2}, {"d", 3}}) == 17);
    CHECK(evaluate("sqrt(d)", {{"d", 64}}) == 8);
}

TEST_CASE("a formula without a value is our fault and says which") {
    CHECK_THROWS_WITH_AS(evaluate("row*", {{"row", 5}}), doctest::Contains("row*"), model::ContentError);
    CHECK_THROWS_AS(evaluate("unknown + 1", {}), model::ContentError);
    CHECK_THROWS_AS(evaluate("1/d", {{"d", 0}}), model::ContentError);
    CHECK_THROWS_AS(evaluate("", {}), model::ContentError);
}

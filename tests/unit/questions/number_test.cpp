#include "questions/number.h"

#include <doctest/doctest.h>

#include <optional>

namespace {

std::optional<double> number(std::string_view answer, const std::string& unit) {
    const auto read = questions::read_number(answer, unit);
    const auto* value = std::get_if<double>(&read);
    return value == nullptr ? std::nullopt : std::optional(*value);
}

std::string why(std::string_view answer, const std::string& unit) {
    return std::get<questions::NoNumber>(questions::read_number(answer, unit)).why;
}

} // namespace

TEST_CASE("numbers are read as people write them") {
    CHECK(number("1234.5", "") == 1234.5);
    CHECK(number("1,234.5", "") == 1234.5);
    CHECK(number("124,439,808", "") == 124439808.0);
    CHECK(number("1,234,567.25 - 1,000", "") == 1233567.25);
    CHECK(number("124_439_808", "") == 124439808.0);
    CHECK(number("1e3", "") == 1000.0);
    CHECK(number("2.5E-1", "") == 0.25);
    CHECK(number("-7", "") == -7.0);
    CHECK(number("−7", "") == -7.0);
    CHECK(number("+7", "") == 7.0);
    CHECK(number(".5", "") == 0.5);
    CHECK(number("  = 12 ", "") == 12.0);
}

TEST_CASE("fractions and simple arithmetic are worked out") {
    CHECK(number("3/4", "") == 0.75);
    CHECK(number("12 * (4 + 1) - 6", "") == 54.0);
    CHECK(number("2^20", "") == 1048576.0);
    CHECK(number("2**10", "") == 1024.0);
    CHECK(number("50,257 × 768", "") == 38597376.0);
    CHECK(number("1,024 ÷ 2", "") == 512.0);
}

TEST_CASE("the unit may follow the number, in singular and plural") {
    CHECK(number("17 elements", "elements") == 17.0);
    CHECK(number("17Elements", "elements") == 17.0);
    CHECK(number("1 element", "elements") == 1.0);
    CHECK(number("17", "elements") == 17.0);
    CHECK(number("9 partial sums", "partial sums") == 9.0);
    CHECK_FALSE(number("17 rows", "elements"));
    CHECK_FALSE(number("17 rows", ""));
    CHECK_FALSE(number("elements", "elements"));
    CHECK(why("17 rows", "elements").find("elements") != std::string::npos);
}

TEST_CASE("a unit that can be converted is") {
    CHECK(number("12288 B", "bytes") == 12288.0);
    CHECK(number("12,288 bytes", "bytes") == 12288.0);
    CHECK(number("12 KiB", "bytes") == 12288.0);
    CHECK(number("12KiB", "bytes") == 12288.0);
    CHECK(number("12.288 kB", "bytes") == doctest::Approx(12288.0).epsilon(1e-15));
    CHECK(number("98304 bits", "bytes") == 12288.0);
    CHECK(number("3 * 4 KiB", "bytes") == 12288.0);
    CHECK(number("1 GiB", "bytes") == 1073741824.0);
    CHECK(number("2 bytes", "bits") == 16.0);
    CHECK(number("0.036 ms", "microseconds") == doctest::Approx(36.0).epsilon(1e-15));
    CHECK(number("36 µs", "microseconds") == 36.0);
    CHECK(number("36 μs", "microseconds") == 36.0);
    CHECK_FALSE(number("5 Mb", "bytes")); // megabits or megabytes
    CHECK_FALSE(number("5 ms", "bytes"));
    CHECK_FALSE(number("5 MB", "rows"));
}

TEST_CASE("per cent is a hundredth unless the unit says per cent") {
    CHECK(number("12.5 %", "") == 0.125);
    CHECK(number("12.5%", "%") == 12.5);
    CHECK(number("12.5", "%") == 12.5);
}

TEST_CASE("what is no single number is not read") {
    for (const char* text :
         {"",      " ",   "seven", "1,2",   "12,5",   "1,234,56", "1 2", "1..2", "1e",  "(1",    "1)",
          "()",    "1/0", "0/0",   "1e999", "sin(1)", "_pi",      "_e",  "a=1",  "1;2", "\"1\"", "0x10",
          "1?2:3", "1<2", "nan",   "inf",   "1%2",    "%",        "=",   "--",   "5!",  "1e5e5"})
        CHECK_MESSAGE(!number(text, ""), text);
}

TEST_CASE("long input is refused at once") {
    CHECK_FALSE(number(std::string(201, '1'), ""));
    CHECK_FALSE(number(std::string(1 << 20, '('), ""));
    CHECK_FALSE(number(std::string(199, '1').append("x"), "")); // linear, no backtracking
    CHECK(number(std::string(99, '(').append("1").append(99, ')'), "") == 1.0);
}

TEST_CASE("what could not be read is said without repeating it") {
    CHECK(why("", "") == "The answer is empty.");
    CHECK(why("1e999", "").find("beyond") != std::string::npos);
    CHECK(why("NaN", "").find("could not be read as a number") != std::string::npos);
    CHECK(why(std::string(1 << 20, '7'), "").find("too long") != std::string::npos);
    CHECK(why("5 <script>", "bytes").find("script") == std::string::npos);
}

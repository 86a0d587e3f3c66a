#include "report/difference.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace report;
using model::Sample;

namespace {

/// `rows` x `cols` numbers that are all different.
Sample right(std::uint64_t rows, std::uint64_t cols) {
    Sample sample{.rows = rows, .cols = cols};
    for (std::uint64_t i = 0; i < rows * cols; ++i)
        sample.expected.push_back(std::sin(static_cast<double>(3 * i + 1)));
    sample.got = sample.expected;
    sample.expected_blank.assign(rows * cols, false);
    sample.got_blank = sample.expected_blank;
    return sample;
}

template <class Got>
std::string pattern(std::uint64_t rows, std::uint64_t cols, Got got) {
    Sample sample = right(rows, cols);
    const std::vector<double> expected = sample.expected;
    for (std::uint64_t r = 0; r < rows; ++r)
        for (std::uint64_t c = 0; c < cols; ++c)
            sample.got[r * cols + c] = got(r, c, [&](std::uint64_t row, std::uint64_t col) {
                return row < rows && col < cols ? expected[row * cols + col] : 0;
            });
    return pattern_of(sample);
}

} // namespace

TEST_CASE("what repeats is told by what the picture shows") {
    CHECK(pattern(6, 4, [](auto r, auto c, auto right) { return right(r + 1, c); }) ==
          "Each row is the one that belongs 1 row further down.");
    CHECK(pattern(6, 4, [](auto r, auto c, auto right) { return right(r - 2, c); }) ==
          "Each row is the one that belongs 2 rows further up.");
    CHECK(pattern(4, 6, [](auto r, auto c, auto right) { return right(r, c + 1); }) ==
          "Each element is the one that belongs 1 column further to the right.");
    CHECK(pattern(4, 4, [](auto r, auto c, auto right) { return right(c, r); }) ==
          "Rows and columns are swapped.");
    CHECK(pattern(4, 4, [](auto r, auto c, auto right) { return 8 * right(r, c); }) ==
          "Everything is 8 times what it should be.");
    CHECK(pattern(4, 4, [](auto r, auto c, auto right) { return right(r, c) - 0.5; }) ==
          "Everything is off by -0.5.");
    CHECK(pattern(4, 4, [](auto, auto, auto) { return 0.0; }) == "Everything is 0.");
    CHECK(pattern(4, 6, [](auto r, auto c, auto right) { return c % 2 == 1 ? 0 : right(r, c); }) ==
          "Only this is 0: every second column, from 1 on.");
    CHECK(pattern(8, 6, [](auto r, auto c, auto right) {
              return right(r, c) + (r == 3 ? 7.0 * right(c, 0) + 5 : 0);
          }) == "Only this is wrong: row 3.");
    CHECK(pattern(4, 8, [](auto r, auto c, auto right) { return c > 4 ? 7 + right(c, r) : right(r, c); }) ==
          "Only this is wrong: columns 5 to 7.");
    CHECK(pattern(6, 6, [](auto r, auto c, auto right) {
              return r == 0 || r == 5 ? 9 + right(c, r) : right(r, c);
          }) == "Only this is wrong: rows 0 and 5.");
}

TEST_CASE("where nothing repeats nothing is said") {
    CHECK(pattern(4, 4, [](auto r, auto c, auto) {
              return std::cos(static_cast<double>(r * r * 7 + c));
          }).empty());
    CHECK(pattern_of(right(4, 4)).empty());
    Sample equal = right(4, 4);
    equal.expected.assign(16, 1);
    equal.got = equal.expected;
    equal.got[5] = 2; // all rows are equal: no row is another one's
    CHECK(pattern_of(equal) == "Only this is wrong: row 1.");
}

TEST_CASE("numbers that are none, and elements that were never written, are told apart") {
    Sample sample = right(3, 4);
    for (std::size_t c = 0; c < 4; ++c)
        sample.got_blank[8 + c] = true;
    CHECK(pattern_of(sample) == "Only this was never written: row 2.");
    Sample odd = right(2, 2);
    odd.expected = {NAN, INFINITY, 1, 2};
    odd.got = {NAN, INFINITY, 1, 1e38};
    CHECK(pattern_of(odd) == "Only this is wrong: row 1.");
    odd.got = {INFINITY, NAN, -INFINITY, NAN};
    CHECK_NOTHROW(pattern_of(odd));
}

TEST_CASE("a figure has expected, got and difference, counted from where the sample begins") {
    model::Mismatch mismatch{.what = "out"};
    CHECK(!difference_of(mismatch));
    mismatch.sample = right(1, 3);
    CHECK(!difference_of(mismatch));
    mismatch.sample = right(2, 2);
    mismatch.sample->first_row = 40;
    mismatch.sample->got[3] += 1;
    const auto figure = difference_of(mismatch);
    REQUIRE(figure);
    REQUIRE(figure->charts.size() == 3);
    const auto& difference = std::get<picture::Heat>(figure->charts[2]);
    CHECK(difference.first_row == 40);
    CHECK(difference.numbers.values[0] == 0);
    CHECK(difference.numbers.values[3] == doctest::Approx(1));
    CHECK(difference.own_scale);
    CHECK(figure->says.at(0) == "Only this is wrong: row 41.");
}

#include "harness/compare.h"

#include <cstdlib>
#include <doctest/doctest.h>

using namespace harness;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

Comparison bits(std::vector<float> got, std::vector<float> want) {
    return compare_bits(elements(got), elements(want));
}
/// Compared as values, with the same absolute bound everywhere.
bool close(float got, double want, double bound) {
    const std::vector<float> g{got};
    const std::vector<double> w{want};
    return compare_values(elements(g), elements(w), [&](std::size_t) { return bound; }).same();
}

} // namespace

TEST_CASE("bitwise comparison tells zeros and NaN payloads apart") {
    CHECK(bits({1, not_a_number, infinity}, {1, not_a_number, infinity}).same());
    CHECK_FALSE(bits({0.0F}, {-0.0F}).same());
    CHECK_FALSE(bits({std::bit_cast<float>(0x7fc00001U)}, {not_a_number}).same());
}

TEST_CASE("minus zero against zero is a difference without a distance") {
    const Comparison comparison = bits({-0.0F}, {0.0F});
    CHECK(comparison.got == "-0");
    CHECK(comparison.expected == "0");
    CHECK(comparison.worst_abs == 0);
    CHECK(comparison.worst_rel == 0);
}

TEST_CASE("a finite value is wanted: NaN and infinities never match, whatever the bound") {
    CHECK(close(1.0F, 1.0, 0));
    CHECK(close(1.25F, 1.0, 0.25));
    CHECK_FALSE(close(1.25F, 1.0, 0.2499));
    for (const double bound :
         {0.0, 1e300, static_cast<double>(infinity), static_cast<double>(not_a_number)}) {
        CHECK_FALSE(close(not_a_number, 1.0, bound));
        CHECK_FALSE(close(infinity, 1.0, bound));
        CHECK_FALSE(close(-infinity, 1.0, bound));
    }
    CHECK_FALSE(close(1.0F, 1.0, not_a_number)); // a broken bound lets nothing pass
}

TEST_CASE("where NaN or an infinity is wanted, the kind must match") {
    CHECK(close(not_a_number, not_a_number, 0));
    CHECK_FALSE(close(1.0F, not_a_number, infinity));
    CHECK_FALSE(close(infinity, not_a_number, infinity));
    CHECK(close(infinity, infinity, 0));
    CHECK(close(-infinity, -infinity, 0));
    CHECK_FALSE(close(-infinity, infinity, infinity));
    CHECK_FALSE(close(1e38F, infinity, infinity));
    CHECK_FALSE(close(not_a_number, infinity, infinity));
}

TEST_CASE("an element nobody wrote is no NaN") {
    CHECK_FALSE(close(poison_value<float>(), not_a_number, 0));
    CHECK_FALSE(close(poison_value<float>(), 1.0, infinity));
}

TEST_CASE("the first difference, the worst ones and their number are told") {
    const Grid<float> got(2, 2, {1, 2.5F, 3, 8});
    const Grid<float> want(2, 2, {1, 2, 3, 10});
    const Comparison comparison = compare_bits(elements(got), elements(want));
    CHECK(comparison.index == std::vector<std::uint64_t>{0, 1});
    CHECK(comparison.expected == "2");
    CHECK(comparison.got == "2.5");
    CHECK(comparison.worst_abs == 2);
    CHECK(comparison.worst_rel == 0.25);
    CHECK(comparison.different == 2);
    CHECK(comparison.total == 4);
    CHECK_FALSE(comparison.untouched);
}

TEST_CASE("a difference with NaN or an infinity in it is infinitely large") {
    CHECK(bits({not_a_number}, {1}).worst_abs == infinity);
    CHECK(bits({not_a_number}, {1}).worst_rel == infinity);
    CHECK(bits({1}, {infinity}).worst_abs == infinity);
    CHECK(bits({1}, {0}).worst_rel == infinity);
    CHECK(bits({1}, {0}).worst_abs == 1);
}

TEST_CASE("shapes are compared first, and then nothing else") {
    const Grid<float> tall(3, 2);
    const Grid<float> wide(2, 3);
    const Comparison comparison = compare_bits(elements(tall), elements(wide));
    CHECK_FALSE(comparison.same());
    CHECK(comparison.got_shape == std::vector<std::size_t>{3, 2});
    CHECK(comparison.want_shape == std::vector<std::size_t>{2, 3});
    CHECK(comparison.total == 0);
}

TEST_CASE("strides differ without a difference, and padding is not compared") {
    Grid<float> padded(2, 2, 3);
    const Grid<float> dense(2, 2, {1, 2, 3, 4});
    padded(0, 0) = 1;
    padded(0, 1) = 2;
    padded(1, 0) = 3;
    padded(1, 1) = 4;
    CHECK(compare_bits(elements(padded), elements(dense)).same());
    padded(1, 1) = 5;
    CHECK(compare_bits(elements(padded), elements(dense)).index == std::vector<std::uint64_t>{1, 1});
}

TEST_CASE("all of an output unwritten is told apart from some of it") {
    const std::vector<float> want{1, 2};
    CHECK(bits({poison_value<float>(), poison_value<float>()}, want).untouched);
    const Comparison some = bits({1, poison_value<float>()}, want);
    CHECK_FALSE(some.untouched);
    CHECK(some.got == "nothing (never written)");
}

TEST_CASE("untouched means every element") {
    Grid<float> grid(2, 2);
    CHECK(compare_untouched(elements(grid)).same());
    grid(1, 0) = 0;
    const Comparison comparison = compare_untouched(elements(grid));
    CHECK(comparison.different == 1);
    CHECK(comparison.index == std::vector<std::uint64_t>{1, 0});
    CHECK(comparison.should_be_untouched);
}

TEST_CASE("indices of a tensor of three axes") {
    Cube<int> got(2, 3, 4);
    got.fill(0);
    const Cube<int> want = got;
    got(1, 2, 3) = 5;
    CHECK(compare_bits(elements(got), elements(want)).index == std::vector<std::uint64_t>{1, 2, 3});
}

TEST_CASE("tensors without elements are the same") {
    CHECK(bits({}, {}).same());
    CHECK(compare_bits(elements(Grid<float>(0, 5)), elements(Grid<float>(0, 5))).same());
}

TEST_CASE("values are printed so that they read back to the same bits") {
    CHECK(print_value(0.1F) == "0.1");
    CHECK(print_value(-0.0) == "-0");
    CHECK(print_value(infinity) == "inf");
    CHECK(print_value(-not_a_number) == "nan");
    CHECK(print_value(true) == "true");
    CHECK(print_value(std::uint8_t{65}) == "65");
    CHECK(print_value(std::int64_t{-1} << 63) == "-9223372036854775808");
    for (const std::uint32_t pattern : {0x00000001U, 0x7f7fffffU, 0x3eaaaaabU, 0x4b800001U})
        CHECK(std::bit_cast<std::uint32_t>(
                  std::strtof(print_value(std::bit_cast<float>(pattern)).c_str(), nullptr)) == pattern);
}

TEST_CASE("what was computed from what an output held is told from what was never written") {
    const auto touched = [](auto value) {
        using T = decltype(value);
        const volatile T before = poison_value<T>();
        const T after = before + value;
        CHECK_FALSE(is_poison(after));
        CHECK(is_made_from_poison(after));
        CHECK(is_made_from_poison(-after));
        CHECK_FALSE(is_own_nan(after));
    };
    touched(1.0F);
    touched(1.0);
    CHECK_FALSE(is_made_from_poison(poison_value<float>()));
    CHECK_FALSE(is_made_from_poison(std::numeric_limits<float>::quiet_NaN()));
    CHECK(is_own_nan(std::numeric_limits<double>::quiet_NaN()));

    const std::vector<float> want{1, 2};
    std::vector<float> got(2, poison_value<float>());
    CHECK_FALSE(compare_bits(elements(got), elements(want)).carried);
    for (float& value : got)
        value += 1;
    const Comparison added = compare_bits(elements(got), elements(want));
    CHECK(added.carried);
    CHECK_FALSE(added.untouched);
    CHECK(added.got == "nan");
}

TEST_CASE("a sample lies around the first difference, inside the tensor and no larger than a picture") {
    Grid<float> want(100, 70), got(100, 70);
    want.fill(1);
    got.fill(1);
    CHECK(!compare_bits(elements(got), elements(want)).sample);
    got(99, 69) = 5;
    const Comparison comparison = compare_bits(elements(got), elements(want));
    REQUIRE(comparison.sample);
    const model::Sample& sample = *comparison.sample;
    CHECK(sample.first_row == 68);
    CHECK(sample.first_col == 38);
    CHECK(sample.rows == 32);
    CHECK(sample.cols == 32);
    CHECK(sample.got.at(31 * 32 + 31) == 5);
    CHECK(sample.expected.at(31 * 32 + 31) == 1);
}

TEST_CASE("a sample of a cube counts rows over batch and time, and knows what was never written") {
    Cube<float> want(2, 3, 2), got(2, 3, 2);
    want.fill(1);
    got.fill(1);
    got(1, 2, 1) = poison_value<float>();
    const Comparison comparison = compare_bits(elements(got), elements(want));
    REQUIRE(comparison.sample);
    CHECK(comparison.sample->rows == 6);
    CHECK(comparison.sample->cols == 2);
    CHECK(comparison.sample->got_blank.at(11));
    CHECK(!comparison.sample->got_blank.at(10));
    CHECK(!comparison.sample->expected_blank.at(11));
}

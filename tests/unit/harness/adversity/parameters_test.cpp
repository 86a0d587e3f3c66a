#include "harness/adversity/parameters.h"

#include "harness/adversity/block.h"
#include "harness/recorder.h"

#include <algorithm>
#include <doctest/doctest.h>

using namespace harness;

namespace {

template <class P>
auto argument_of(const P& parameter, const std::string& words, const Extents& extents) {
    Random random(1);
    const std::vector<Special> specials = parameter.specials(extents);
    const auto found = std::ranges::find(specials, words, &Special::words);
    REQUIRE(found != specials.end());
    const auto index = static_cast<std::size_t>(found - specials.begin());
    const auto operand = parameter.make(extents, Shaping{.special = index}, random);
    return static_cast<Operand<typename P::Type>&>(*operand).argument();
}

template <class P>
bool refused(const P& parameter, const std::string& words, const Extents& extents) {
    const std::vector<Special> specials = parameter.specials(extents);
    const auto found = std::ranges::find(specials, words, &Special::words);
    REQUIRE(found != specials.end());
    return found->refused;
}

} // namespace

TEST_CASE("starts at which a window just fits are right, and one more is refused") {
    const Extents extents{{"S", 1}, {"T", 4}, {"P", 7}};
    const auto role = start("start", "S", "T", "P");
    CHECK(argument_of(role, "`start` is P - T", extents) == 3);
    CHECK_FALSE(refused(role, "`start` is P - T", extents));
    CHECK(refused(role, "`start` is P - T + 1", extents));
    CHECK(argument_of(role, "`start` is 2^64 - T", extents) + 4 == 0);
    CHECK(refused(role, "`start` is 2^64 - T", extents));
    CHECK_FALSE(refused(role, "`start` is P", {{"S", 1}, {"T", 0}, {"P", 7}}));
}

TEST_CASE("each size of a tensor is wrong in its turn, the batch too") {
    const Extents extents{{"B", 2}, {"T", 4}, {"C", 3}};
    const auto role = tensor_out("out", "B", "T", "C");
    const auto more = argument_of(role, "`out` has a sequence too many", extents);
    CHECK(more.batch == 3);
    CHECK(more.time == 4);
    CHECK(argument_of(role, "`out` has a position too few", extents).time == 3);
    CHECK(argument_of(role, "`out` has a column too many", extents).channels == 4);
    // None of nothing is one too many.
    CHECK(argument_of(role, "`out` has a column too few", {{"B", 2}, {"T", 4}, {"C", 0}}).channels == 1);
}

TEST_CASE("a table that limits positions may have no rows, and its number of rows is no mistake") {
    const Extents extents{{"P", 5}, {"C", 3}};
    const auto role = matrix_in("wpe", "P", "C", {}, Checked::limit_and_cols);
    CHECK(argument_of(role, "`wpe` has no rows", extents).rows == 0);
    CHECK(role.specials(extents).size() == 3);
}

TEST_CASE("elements of which every bit counts are compared by bits under any rule") {
    const Rule values{.kind = Rule::Kind::values, .exact = [](std::size_t i) { return i == 1; }};
    CHECK(same_by_rule(values, -0.0F, 0.0F, 0));
    CHECK_FALSE(same_by_rule(values, -0.0F, 0.0F, 1));
    const Rule any_nan{.kind = Rule::Kind::any_nan};
    CHECK(same_by_rule(any_nan, std::bit_cast<float>(0x7fc00001), std::bit_cast<float>(0x7fc00002), 0));
    CHECK_FALSE(same_by_rule(any_nan, -0.0F, 0.0F, 0));
}

TEST_CASE("another implementation is as much alike as the loosest rule of a case asks for") {
    Block<float> block({1, 2}, 0);
    block.cells = {1, 2};
    const auto after = [&](std::initializer_list<Rule::Kind> kinds) {
        Recorder::current().begin_case("a case");
        for (const Rule::Kind kind : kinds)
            CHECK(expect_block("out", block, block, {.kind = kind}));
        return Recorder::current().likeness();
    };
    using Kind = Rule::Kind;
    CHECK(after({Kind::bits}) == subject::Likeness::bits);
    CHECK(after({Kind::bits, Kind::any_nan}) == subject::Likeness::values);
    CHECK(after({Kind::values, Kind::bits}) == subject::Likeness::values);
    CHECK(after({Kind::close, Kind::values}) == subject::Likeness::rounding);
    CHECK(after({}) == subject::Likeness::rounding);
    Recorder::current().end_case();
}

TEST_CASE("a table without columns may have more rows than anybody could walk over") {
    const auto table = matrix_in("table", "V", "C");
    Random random(1);
    const Extents extents{{"V", (std::size_t{1} << 53) + 1}, {"C", 0}};
    const auto operand = table.make(extents, Shaping{.rough = true}, random);
    const auto view = static_cast<Operand<contract::Matrix<const float>>&>(*operand).argument();
    CHECK(view.rows == (std::size_t{1} << 53) + 1);
    CHECK(view.cols == 0);
}

TEST_CASE("an output whose rows are pages apart has gaps of whole pages, and nothing else has") {
    Random random(1);
    const auto gaps_of = [&](const auto& role, std::size_t rows, std::size_t gap) {
        const auto operand = role.make({{"N", rows}, {"C", 3}}, Shaping{.gap = gap}, random);
        const std::optional<subject::Gaps> gaps = operand->move_into_pages();
        const auto view =
            static_cast<Operand<typename std::decay_t<decltype(role)>::Type>&>(*operand).argument();
        return std::pair{gaps, reinterpret_cast<const std::byte*>(view.data + view.cols)};
    };
    const auto out = matrix_out("out", "N", "C");
    constexpr std::size_t two_pages = 2 * subject::page;
    const auto [gaps, behind_first_row] = gaps_of(out, 4, two_pages / sizeof(float) - 3);
    REQUIRE(gaps);
    CHECK(gaps->count == 3);
    CHECK(gaps->step == two_pages);
    CHECK(gaps->bytes == subject::page);
    CHECK(gaps->first == behind_first_row);
    CHECK(reinterpret_cast<std::uintptr_t>(gaps->first) % subject::page == 0);
    CHECK_FALSE(gaps_of(out, 4, two_pages / sizeof(float) - 2).first);
    CHECK_FALSE(gaps_of(out, 4, subject::page / sizeof(float) - 3).first);
    CHECK_FALSE(gaps_of(out, 0, two_pages / sizeof(float) - 3).first);
    CHECK_FALSE(gaps_of(matrix_in("table", "N", "C", copied()), 4, two_pages / sizeof(float) - 3).first);
}

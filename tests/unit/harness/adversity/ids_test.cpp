#include "harness/adversity/ids.h"

#include <doctest/doctest.h>
#include <set>

using namespace harness;
using contract::StridedIds;

namespace {

const Extents sizes{{"V", 6}, {"A", 2}, {"B", 3}, {"D", 2}, {"E", 2}};

template <class I>
Parameter<StridedIds<I>> parameter() {
    return strided_ids<I>("ids", {"A", "B", "D", "E"}, "V");
}

template <class I>
StridedIds<I> argument_of(AnyOperand& operand) {
    return static_cast<Operand<StridedIds<I>>&>(operand).argument();
}

template <class I>
std::vector<I> in_reading_order(const StridedIds<I>& view) {
    std::vector<I> ids;
    for (std::size_t n = 0; n < view.count(); ++n) {
        std::size_t rest = n, offset = 0;
        for (std::size_t axis = view.rank; axis-- > 0; rest /= view.shape[axis])
            offset += rest % view.shape[axis] * view.stride[axis];
        ids.push_back(view.data[offset]);
    }
    return ids;
}

template <class I>
std::vector<I> ids_of_special(const std::string& words, const Extents& extents = sizes) {
    Random random(1);
    const auto role = parameter<I>();
    const std::vector<Special> specials = role.specials(extents);
    for (std::size_t i = 0; i < specials.size(); ++i)
        if (specials[i].words == words)
            return in_reading_order(argument_of<I>(*role.make(extents, Shaping{.special = i}, random)));
    return {};
}

} // namespace

TEST_CASE("ordinary ids lie in the vocabulary, in all layouts") {
    Random random(1);
    const auto role = parameter<std::int32_t>();
    const std::vector<Special> specials = role.specials(sizes);
    for (std::size_t i = 0; i < specials.size(); ++i) {
        if (specials[i].refused) continue;
        CAPTURE(specials[i].words);
        const auto operand = role.make(sizes, Shaping{.special = i}, random);
        const auto ids = in_reading_order(argument_of<std::int32_t>(*operand));
        CHECK(ids.size() == 24);
        for (const std::int32_t id : ids)
            CHECK((id >= 0 && id < 6));
    }
}

TEST_CASE("a refused case has a bad id, and where it says") {
    CHECK(ids_of_special<std::int32_t>("the first id is -1").front() == -1);
    CHECK(ids_of_special<std::int32_t>("the last id is the vocabulary size").back() == 6);
    CHECK(ids_of_special<std::int32_t>("the first id is 2^32").empty()); // no id of 32 bits
    CHECK(ids_of_special<std::int64_t>("the first id is 2^32").front() == 1LL << 32);
    CHECK(ids_of_special<std::int64_t>("the last id is -2^32").back() == -(1LL << 32));
}

TEST_CASE("an axis of stride 0 shows the same ids again") {
    const auto ids = ids_of_special<std::int32_t>("the first axis of `ids` has stride 0");
    REQUIRE(ids.size() == 24);
    CHECK(std::equal(ids.begin(), ids.begin() + 12, ids.begin() + 12));
}

TEST_CASE("trailing axes of size 1 are not in use, down to a single id without axes") {
    Random random(1);
    const auto rank_of = [&](std::size_t A, std::size_t B, std::size_t D, std::size_t E) {
        const Extents extents{{"V", 6}, {"A", A}, {"B", B}, {"D", D}, {"E", E}};
        return argument_of<std::int32_t>(*parameter<std::int32_t>().make(extents, {}, random)).rank;
    };
    CHECK(rank_of(1, 1, 1, 1) == 0);
    CHECK(rank_of(5, 1, 1, 1) == 1);
    CHECK(rank_of(1, 5, 1, 1) == 2);
    CHECK(rank_of(1, 5, 0, 1) == 3);
    CHECK(rank_of(1, 1, 1, 2) == 4);
}

TEST_CASE("of many rows a few ids name the last ones that they can name, and all ids together name each") {
    constexpr std::size_t too_large = std::size_t{1} << 31;
    const std::vector<std::size_t> rows{
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, too_large - 1, too_large, too_large + 1};
    const auto named = [&](std::size_t count) {
        Random random(1);
        const Extents extents{{"V", too_large + 2}, {"A", count}, {"B", 1}, {"D", 1}, {"E", 1}};
        const auto operand = parameter<std::int32_t>().make(extents, Shaping{.rows = rows}, random);
        const auto ids = in_reading_order(argument_of<std::int32_t>(*operand));
        return std::set<std::int32_t>(ids.begin(), ids.end());
    };
    CHECK(named(1).contains(std::int32_t{0x7fff'ffff}));
    CHECK(named(5).contains(9));
    CHECK(named(11).size() == 11);
}

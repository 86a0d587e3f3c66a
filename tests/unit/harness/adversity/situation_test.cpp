// Which sizes the calls of a function have.
#include "harness/adversity/situation.h"

#include <doctest/doctest.h>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace harness;

namespace {

/// A value of each of three parameters, so many of each.
std::vector<Situation> values(std::size_t count, bool refused = false) {
    const Situations situations({{.name = "T"}}, 3);
    std::vector<Situation> list;
    for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t i = 0; i < count; ++i) {
            Situation value = situations.ordinary();
            value.shapings[k].special = i;
            value.words = {std::string(1, static_cast<char>('a' + k)) + std::to_string(i)};
            value.refused = refused;
            list.push_back(std::move(value));
        }
    return list;
}

std::set<std::pair<std::string, std::string>> pairs_in(const std::vector<Situation>& calls) {
    std::set<std::pair<std::string, std::string>> pairs;
    for (const Situation& call : calls)
        for (const std::string& a : call.words)
            for (const std::string& b : call.words)
                if (a < b) pairs.insert({a, b});
    return pairs;
}

} // namespace

TEST_CASE("every two values of different arguments meet in fewer calls than there are pairs") {
    const std::vector<Situation> all = values(4);
    const std::vector<Situation> apart = pairs_of(all, Adversity::two_specials);
    const std::vector<Situation> together = packed(all, 3, Adversity::two_specials);
    CHECK(apart.size() == 48);
    CHECK(pairs_in(together) == pairs_in(apart));
    CHECK(together.size() <= 24);
    for (const Situation& call : together)
        CHECK(call.words.size() <= 3);
    CHECK(pairs_in(packed(all, 2, Adversity::two_specials)) == pairs_in(apart));
}

TEST_CASE("each refusal meets each value of other arguments, and no other refusal") {
    const std::vector<Situation> accepted = values(4);
    std::vector<Situation> refused = values(2, true);
    for (Situation& each : refused)
        each.words = {"refused " + *each.words.begin()};
    const std::vector<Situation> apart = crossed(accepted, refused, Adversity::special_and_refused);
    const std::vector<Situation> together = shared_out(accepted, refused, 2, Adversity::special_and_refused);
    const auto with_refusals = [](const std::vector<Situation>& calls) {
        auto pairs = pairs_in(calls);
        std::erase_if(pairs, [](const auto& pair) { return !pair.second.starts_with("refused"); });
        return pairs;
    };
    CHECK(with_refusals(together) == with_refusals(apart));
    CHECK(together.size() == apart.size() / 2);
    for (const Situation& call : together)
        CHECK(call.refused);
}

TEST_CASE("an extent is never longer than the contract allows") {
    const Situations situations({{.name = "T", .limit = 131'073}, {.name = "C"}, {.name = "B", .largest = 9}},
                                1);
    std::vector<std::size_t> lengths;
    for (const Situation& each : situations.long_ones({70'001, 131'075}, 1)) {
        lengths.push_back(each.extents["T"]);
        lengths.push_back(each.extents["C"]);
        CHECK(each.extents["B"] == 1);
    }
    CHECK(lengths == std::vector<std::size_t>{70'001, 1, 131'073, 1, 1, 70'001, 1, 131'075});
}

// The visible tests of token-lookup as a project without an engine would have them: plain doctest, linked
// with the submission and the reference. bench/run compares with this.
#include "contract.h"

#include <doctest/doctest.h>
#include <random>
#include <vector>

namespace reference {
extern decltype(exercise::lookup) lookup;
}

using namespace contract;

namespace {

using Values = std::vector<float>;

struct Run {
    Values out;
    Status status;
};

Run run(const Values& table, std::size_t V, std::size_t C, const std::vector<TokenId>& ids,
        std::size_t stride = 0, std::size_t out_stride = 0) {
    if (stride == 0) stride = C;
    if (out_stride == 0) out_stride = C;
    Run result{Values(ids.size() * out_stride, -1), {}};
    result.status =
        exercise::lookup({table.data(), V, C, stride}, ids, {result.out.data(), ids.size(), C, out_stride});
    return result;
}

Values counting(std::size_t count) {
    Values values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = static_cast<float>(i);
    return values;
}

} // namespace

TEST_CASE("four ids pick four rows") {
    CHECK(run(counting(18), 6, 3, {2, 3, 5, 1}).out == Values{6, 7, 8, 9, 10, 11, 15, 16, 17, 3, 4, 5});
}
TEST_CASE("id 3 picks the fourth row") {
    CHECK(run(counting(18), 6, 3, {3}).out == Values{9, 10, 11});
}
TEST_CASE("equal ids give equal rows") {
    CHECK(run(counting(18), 6, 3, {1, 1}).out == Values{3, 4, 5, 3, 4, 5});
}
TEST_CASE("all rows come out in reverse order") {
    CHECK(run(counting(6), 3, 2, {2, 1, 0}).out == Values{4, 5, 2, 3, 0, 1});
}
TEST_CASE("random shapes agree with the reference") {
    std::mt19937_64 random(std::random_device{}());
    const auto size = [&](std::size_t lo, std::size_t hi) {
        return std::uniform_int_distribution<std::size_t>(lo, hi)(random);
    };
    for (int round = 0; round < 24; ++round) {
        const std::size_t V = size(1, 40);
        const std::size_t C = size(1, 33);
        const std::size_t T = size(0, 20);
        Values table(V * C);
        for (float& value : table)
            value = std::normal_distribution<float>()(random);
        std::vector<TokenId> ids(T);
        for (TokenId& id : ids)
            id = static_cast<TokenId>(size(0, V - 1));
        Values want(T * C);
        reference::lookup({table.data(), V, C, C}, ids, {want.data(), T, C, C});
        CHECK(run(table, V, C, ids).out == want);
    }
}
TEST_CASE("rows of any width are copied whole") {
    for (std::size_t C = 1; C < 20; ++C)
        CHECK(run(counting(2 * C), 2, C, {0, 1}).out == counting(2 * C));
}
TEST_CASE("a padded table is read with its stride") {
    CHECK(run(counting(12), 3, 2, {2, 1}, 4).out == Values{8, 9, 4, 5});
}
TEST_CASE("padding between output rows stays as it was") {
    CHECK(run(counting(6), 3, 2, {2, 1}, 0, 3).out == Values{4, 5, -1, 2, 3, -1});
}
TEST_CASE("no ids mean no rows") {
    CHECK(run(counting(6), 3, 2, {}).status == Status{});
}
TEST_CASE("an id equal to the vocabulary size is refused") {
    CHECK(run(counting(6), 3, 2, {0, 3}).status == Status::id_out_of_range(1, 3, 3));
}
TEST_CASE("a negative id is refused") {
    CHECK(run(counting(6), 3, 2, {-1}).status == Status::id_out_of_range(0, -1, 3));
}
TEST_CASE("the first bad id is the one reported") {
    CHECK(run(counting(6), 3, 2, {0, 9, -4}).status == Status::id_out_of_range(1, 9, 3));
}
TEST_CASE("a refused call writes nothing") {
    CHECK(run(counting(6), 3, 2, {0, 9}).out == Values(4, -1));
}

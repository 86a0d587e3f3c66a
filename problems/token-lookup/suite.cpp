#include "harness/suite.h"
#include "harness/adversity/adverse.h"
#include "subject/proxies.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <vector>

// V: vocabulary size, C: channels, T: number of ids
using namespace contract;
using namespace harness;

namespace {

/// Six rows, three columns: the table of the statement. Element (r, c) is r + c / 10.
Grid<float> six_by_three() {
    return Grid<float>(6, 3,
                       {0.0F, 0.1F, 0.2F, //
                        1.0F, 1.1F, 1.2F, //
                        2.0F, 2.1F, 2.2F, //
                        3.0F, 3.1F, 3.2F, //
                        4.0F, 4.1F, 4.2F, //
                        5.0F, 5.1F, 5.2F});
}

/// Element (r, c) is offset + r * cols + c + 1: every number occurs once, and none is zero.
Grid<float> numbered(std::size_t rows, std::size_t cols, float offset = 0) {
    Grid<float> table(rows, cols);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < cols; ++c)
            table(r, c) = offset + static_cast<float>(r * cols + c + 1);
    return table;
}

/// Looks `ids` up in `table` and holds every bit against the reference.
void expect_lookup(const Grid<float>& table, const std::vector<TokenId>& ids) {
    Grid<float> out(ids.size(), table.cols());
    Grid<float> want(ids.size(), table.cols());
    expect_status(subject::lookup(table, ids, out), reference::lookup(table, ids, want));
    expect_identical("out", out, want);
}

/// A vocabulary of six refuses `ids`, naming `id` at index `where`, and writes nothing.
void expect_refused(const std::vector<TokenId>& ids, std::size_t where, TokenId id) {
    Grid<float> out(ids.size(), 3);
    expect_status(subject::lookup(six_by_three(), ids, out), Status{Code::id_out_of_range, where, id, 6});
    expect_untouched("out", out);
}

/// A text obeys Zipf's law: the k-th most frequent of V tokens comes up about 1 / (k ln V) of the time.
TokenId zipf_id(Random& random, std::size_t vocabulary) {
    const double rank = std::exp(random.uniform() * std::log(static_cast<double>(vocabulary)));
    return std::min(static_cast<TokenId>(rank), static_cast<TokenId>(vocabulary)) - 1;
}

/// lookup under all circumstances that every call must survive.
auto adverse_lookup() {
    return Adverse("lookup", subject::lookup, &reference::lookup,
                   {{.name = "V", .ordinary = 6}, {.name = "C", .ordinary = 3}, {.name = "T", .ordinary = 5}},
                   matrix_in("table", "V", "C", copied()), ids("ids", "T", "V"), matrix_out("out", "T", "C"));
}

} // namespace

TEST_CASE("four ids pick four rows") {
    const std::vector<TokenId> ids{2, 3, 5, 1};
    Grid<float> out(4, 3);
    expect_status(subject::lookup(six_by_three(), ids, out), Status{});
    expect_identical("out", out,
                     Grid<float>(4, 3,
                                 {2.0F, 2.1F, 2.2F, //
                                  3.0F, 3.1F, 3.2F, //
                                  5.0F, 5.1F, 5.2F, //
                                  1.0F, 1.1F, 1.2F}));
}

TEST_CASE("id 3 picks the fourth row") {
    const auto expect_row = [](TokenId id, std::initializer_list<float> row) {
        Grid<float> out(1, 3);
        expect_status(subject::lookup(six_by_three(), std::vector<TokenId>{id}, out), Status{});
        expect_identical("out", out, Grid<float>(1, 3, row));
    };
    expect_row(3, {3.0F, 3.1F, 3.2F});
    expect_row(0, {0.0F, 0.1F, 0.2F}); // the first
    expect_row(5, {5.0F, 5.1F, 5.2F}); // and the last there is
}

TEST_CASE("equal ids give equal rows") {
    const std::vector<TokenId> ids{2, 2, 0, 2};
    Grid<float> out(4, 3);
    expect_status(subject::lookup(six_by_three(), ids, out), Status{});
    expect_identical("out", out,
                     Grid<float>(4, 3,
                                 {2.0F, 2.1F, 2.2F, //
                                  2.0F, 2.1F, 2.2F, //
                                  0.0F, 0.1F, 0.2F, //
                                  2.0F, 2.1F, 2.2F}));
    expect_lookup(numbered(6, 5), std::vector<TokenId>(7, 4));
    expect_lookup(numbered(1, 1, 40), std::vector<TokenId>(3, 0)); // a vocabulary of one
}

TEST_CASE("all rows come out in reverse order") {
    expect_lookup(numbered(9, 5), {8, 7, 6, 5, 4, 3, 2, 1, 0});
}

TEST_CASE("random shapes agree with the reference") {
    for_random_sizes(24, {{"V", 1, 40}, {"C", 1, 33}, {"T", 1, 20}}, [](const Sizes& size, Random& random) {
        const auto table = random_grid<float>(random, size["V"], size["C"]);
        expect_lookup(table, random_ids(random, size["T"], size["V"]));
    });
}

TEST_CASE("rows of any width are copied whole") {
    for (const std::size_t C : {1, 3, 5, 7, 8, 9, 16, 31, 768}) {
        INFO("C = ", C);
        const auto last = static_cast<TokenId>(C);
        expect_lookup(numbered(C + 1, C), {last, 0, last / 2, 1});
    }
}

TEST_CASE("a padded table is read with its stride") {
    const auto dense = numbered(6, 8);
    Grid<float> table(6, 8, 11);
    std::ranges::fill(table.cells(), -1.0F);
    for (std::size_t r = 0; r < 6; ++r)
        std::ranges::copy(dense.row(r), table.row(r).begin());

    const std::vector<TokenId> ids{5, 1, 0, 4};
    Grid<float> out(4, 8);
    Grid<float> want(4, 8);
    expect_status(subject::lookup(table, ids, out), reference::lookup(dense, ids, want));
    expect_identical("out", out, want);
}

TEST_CASE("padding between output rows stays as it was") {
    const std::vector<TokenId> ids{5, 0, 3};
    Grid<float> out(3, 3, 7);
    Grid<float> want(3, 3, 7);
    std::ranges::fill(out.cells(), -7.0F);
    std::ranges::fill(want.cells(), -7.0F);
    for (std::size_t i = 0; i < 3; ++i)
        std::ranges::copy(six_by_three().row(static_cast<std::size_t>(ids[i])), want.row(i).begin());

    expect_status(subject::lookup(six_by_three(), ids, out), Status{});
    expect_identical("out with its padding", out.cells(), want.cells());
}

TEST_CASE("no ids mean no rows") {
    Grid<float> out(0, 3);
    expect_status(subject::lookup(six_by_three(), std::vector<TokenId>{}, out), Status{});
}

TEST_CASE("an id equal to the vocabulary size is refused") {
    expect_refused({6}, 0, 6);
    expect_refused({7}, 0, 7);

    Grid<float> out(1, 4);
    expect_status(subject::lookup(numbered(1, 4), std::vector<TokenId>{1}, out),
                  Status{Code::id_out_of_range, 0, 1, 1});
    expect_untouched("out", out);
}

TEST_CASE("a negative id is refused") {
    expect_refused({-1}, 0, -1);
    expect_refused({-6}, 0, -6);
    expect_refused({-7}, 0, -7);
}

TEST_CASE("the first bad id is the one reported") {
    const auto expect_reported = [](const std::vector<TokenId>& ids, std::size_t where, TokenId id) {
        Grid<float> out(ids.size(), 3);
        expect_status(subject::lookup(six_by_three(), ids, out), Status{Code::id_out_of_range, where, id, 6});
    };
    expect_reported({1, 6, -1, 8}, 1, 6);
    expect_reported({0, 5, 2, -2, 0, 7}, 3, -2);
}

TEST_CASE("a refused call writes nothing") {
    expect_refused({2, 3, 5, 1, 6}, 4, 6);
    expect_refused({2, -1, 3}, 1, -1);
}

TEST_CASE("nan payloads and signed zeros survive") {
    constexpr std::uint32_t patterns[5][3] = {
        {0x7fc12345, 0x7f812345, 0xffc00001}, // quiet NaN with a payload, signalling NaN, negative NaN
        {0x80000000, 0x00000000, 0x3f800000}, // -0, +0, 1
        {0x7f800000, 0xff800000, 0x7f7fffff}, // +Inf, -Inf, the largest finite number
        {0x00000001, 0x80000001, 0x007fffff}, // the smallest denormals and the largest
        {0x00800000, 0xff7fffff, 0xbf800000}, // the smallest normal number, the lowest, -1
    };
    Grid<float> table(5, 3);
    for (std::size_t r = 0; r < 5; ++r)
        for (std::size_t c = 0; c < 3; ++c)
            table(r, c) = std::bit_cast<float>(patterns[r][c]);
    expect_lookup(table, {4, 0, 3, 1, 2, 0});
}

TEST_CASE("extreme ids are refused") {
    expect_refused({std::numeric_limits<TokenId>::max()}, 0, std::numeric_limits<TokenId>::max());
    expect_refused({std::numeric_limits<TokenId>::min()}, 0, std::numeric_limits<TokenId>::min());
}

TEST_CASE("sizes that do not fit are refused") {
    const auto expect_mismatch = [](const std::vector<TokenId>& ids, std::size_t rows, std::size_t cols) {
        Grid<float> out(rows, cols);
        expect_status(subject::lookup(six_by_three(), ids, out), Status{Code::shape_mismatch});
        expect_untouched("out", out);
    };
    expect_mismatch({2, 3, 5, 1}, 5, 3);
    expect_mismatch({2, 3, 5, 1}, 3, 3);
    expect_mismatch({2, 3, 5, 1}, 4, 4);
    expect_mismatch({2, 3, 5, 1}, 4, 2);
    expect_mismatch({2, 3, 9, 1}, 5, 3); // the shape is looked at before the ids
}

TEST_CASE("a table at an odd address reads the same") {
    const auto table = numbered(9, 16);
    const std::vector<TokenId> ids{8, 3, 0, 3, 5};
    Grid<float> shifted(1, 9 * 16 + 1);
    std::ranges::copy(table.cells(), shifted.cells().begin() + 1);
    Grid<float> room(1, 5 * 16 + 3);
    Grid<float> want(5, 16);

    const Matrix<const float> source(shifted.cells().data() + 1, 9, 16); // 4 bytes past a multiple of 16
    const Matrix<float> out(room.cells().data() + 3, 5, 16);             // and 12
    expect_status(subject::lookup(source, ids, out), reference::lookup(table, ids, want));
    expect_identical("out", out, want);
}

TEST_CASE("a second call does not remember the first") {
    const auto first = numbered(6, 4);
    const auto second = numbered(6, 4, 1000);
    expect_lookup(first, {2, 0, 2, 5});
    expect_lookup(second, {5, 2, 2, 0});
    expect_lookup(first, {2, 0, 2, 5});
}

TEST_CASE("a text over the gpt-2 vocabulary") {
    Random stream = harness::random();
    constexpr std::size_t V = 50'257;
    std::vector<TokenId> ids{464, 4935, 20336, 46566, 198, 1712, 584, 3354, 0, static_cast<TokenId>(V - 1)};
    for (int i = 0; i < 54; ++i)
        ids.push_back(zipf_id(stream, V));
    expect_lookup(numbered(V, 8), ids);
}

TEST_CASE("lookup at every boundary of its sizes") {
    adverse_lookup()
        .also({{{"V", 50'257}, {"C", 8}, {"T", 4'096}},
               {{"V", 131'073}, {"C", 2}, {"T", 9}},
               {{"V", 6}, {"C", 907}, {"T", 1'171}}})
        .sizes();
}

TEST_CASE("lookup where rows lie apart") {
    adverse_lookup().gaps();
}

TEST_CASE("lookup with empty axes") {
    adverse_lookup().empty_axes();
}

TEST_CASE("lookup with special ids, bits and shapes") {
    adverse_lookup().special_cases();
}

TEST_CASE("lookup after other calls") {
    adverse_lookup().history();
}

TEST_CASE("lookup beyond element 2^32" * large) {
    adverse_lookup().far("V", Visits::few_rows);
}

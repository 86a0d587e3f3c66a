#include "harness/suite.h"
#include "harness/adversity/adverse.h"
#include "harness/adversity/device.h"
#include "subject/proxies.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

// V: vocabulary size, C: channels, N: number of ids
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

/// `count` ids below V, no two neighbours equal.
std::vector<TokenId> striding_ids(std::size_t count, std::size_t V) {
    std::vector<TokenId> ids;
    for (std::size_t i = 0; i < count; ++i)
        ids.push_back(static_cast<TokenId>((i * 7 + 3) % V));
    return ids;
}

/// Looks `ids` up in `table` and holds every bit against the reference.
void expect_lookup(const Grid<float>& table, const std::vector<TokenId>& ids,
                   Stream stream = Stream::standard) {
    Grid<float> out(ids.size(), table.cols());
    Grid<float> want(ids.size(), table.cols());
    expect_status(subject::lookup(table, ids, out, stream), reference::lookup(table, ids, want, stream));
    expect_identical("out", out, want);
}

/// The bytes that a lookup of N different rows cannot do without: ids, rows read, rows written.
std::uint64_t least_bytes(std::size_t N, std::size_t C) {
    return N * sizeof(TokenId) + 2 * N * C * sizeof(float);
}

/// lookup under all circumstances that every call must survive.
auto adverse_lookup() {
    return Adverse("lookup", subject::lookup, &reference::lookup,
                   {{.name = "V", .ordinary = 6}, {.name = "C", .ordinary = 3}, {.name = "N", .ordinary = 5}},
                   matrix_in("table", "V", "C", copied()), device_ids("ids", "N", "V"),
                   matrix_out("out", "N", "C"), stream("stream"));
}

} // namespace

TEST_CASE("four ids pick four rows") {
    const std::vector<TokenId> ids{2, 3, 5, 1};
    Grid<float> out(4, 3);
    expect_status(subject::lookup(six_by_three(), ids, out, Stream::standard), Status{});
    expect_identical("out", out,
                     Grid<float>(4, 3,
                                 {2.0F, 2.1F, 2.2F, //
                                  3.0F, 3.1F, 3.2F, //
                                  5.0F, 5.1F, 5.2F, //
                                  1.0F, 1.1F, 1.2F}));
}

TEST_CASE("the last block is only partly needed") {
    for (const std::size_t N : {1, 31, 33, 257})
        expect_lookup(numbered(11, 5), striding_ids(N, 11));
}

TEST_CASE("random shapes agree with the reference") {
    for_random_sizes(12, {{"V", 1, 40}, {"C", 1, 70}, {"N", 1, 40}}, [](const Sizes& size, Random& random) {
        const auto table = random_grid<float>(random, size["V"], size["C"]);
        expect_lookup(table, random_ids(random, size["N"], size["V"]));
    });
}

TEST_CASE("rows of any width are copied whole") {
    for (const std::size_t C : {1, 2, 3, 5, 7, 8, 9, 31, 33, 100, 770, 1100}) {
        INFO("C = ", C);
        expect_lookup(numbered(4, C), {3, 0, 2});
    }
}

TEST_CASE("padded rows keep their padding") {
    const auto dense = numbered(6, 9);
    Grid<float> table(6, 9, 12);
    std::ranges::fill(table.cells(), -1.0F);
    for (std::size_t r = 0; r < 6; ++r)
        std::ranges::copy(dense.row(r), table.row(r).begin());

    const std::vector<TokenId> ids{5, 1, 0, 4};
    Grid<float> out(4, 9, 16);
    Grid<float> want(4, 9, 16);
    std::ranges::fill(out.cells(), -7.0F);
    std::ranges::fill(want.cells(), -7.0F);
    expect_status(subject::lookup(table, ids, out, Stream::standard),
                  reference::lookup(table, ids, want, Stream::standard));
    expect_identical("out with its padding", out.cells(), want.cells());
}

TEST_CASE("rows may begin at any multiple of four bytes") {
    const auto dense = numbered(9, 16);
    const std::vector<TokenId> ids{8, 3, 0, 3, 5};
    Grid<float> want(5, 16);
    reference::lookup(dense, ids, want, Stream::standard);
    for (const std::size_t shift : {1, 2, 3}) {
        Grid<float> shifted(1, 9 * 16 + shift);
        std::ranges::copy(dense.cells(), shifted.cells().begin() + static_cast<std::ptrdiff_t>(shift));
        Grid<float> room(1, 5 * 16 + 4 - shift);
        const Matrix<const float> table(shifted.cells().data() + shift, 9, 16);
        const Matrix<float> out(room.cells().data() + 4 - shift, 5, 16);
        expect_status(subject::lookup(table, ids, out, Stream::standard), Status{});
        expect_identical("out", out, want);
    }
}

TEST_CASE("nothing to copy launches nothing") {
    Grid<float> no_rows(0, 3);
    expect_status(subject::lookup(six_by_three(), std::vector<TokenId>{}, no_rows, Stream::standard),
                  Status{});
    Grid<float> no_channels(2, 0);
    expect_status(
        subject::lookup(Grid<float>(6, 0), std::vector<TokenId>{4, 1}, no_channels, Stream::standard),
        Status{});
}

TEST_CASE("an id outside the vocabulary gives a row of nan") {
    const float nan = std::bit_cast<float>(0x7fc00000U);
    const std::vector<TokenId> ids{2, 6, -1, 5};
    Grid<float> out(4, 3);
    expect_status(subject::lookup(six_by_three(), ids, out, Stream::standard), Status{});
    expect_identical("out", out,
                     Grid<float>(4, 3,
                                 {2.0F, 2.1F, 2.2F, //
                                  nan, nan, nan,    //
                                  nan, nan, nan,    //
                                  5.0F, 5.1F, 5.2F}));
    constexpr auto largest = std::numeric_limits<TokenId>::max();
    constexpr auto smallest = std::numeric_limits<TokenId>::min();
    expect_lookup(six_by_three(), {largest, 1, smallest, 7, -6, 0});
}

TEST_CASE("sizes that do not fit are refused") {
    const auto expect_mismatch = [](std::size_t rows, std::size_t cols) {
        const std::vector<TokenId> ids{2, 3, 5, 1};
        Grid<float> out(rows, cols);
        expect_status(subject::lookup(six_by_three(), ids, out, Stream::standard),
                      Status{Code::shape_mismatch});
        expect_untouched("out", out);
    };
    expect_mismatch(5, 3);
    expect_mismatch(3, 3);
    expect_mismatch(4, 4);
    expect_mismatch(4, 2);
    expect_mismatch(0, 3);
}

TEST_CASE("the work goes to the caller's stream") {
    expect_lookup(numbered(20, 17), striding_ids(30, 20), Stream::own);
}

TEST_CASE("a warp moves whole sectors") {
    constexpr std::size_t N = 48;
    constexpr std::size_t C = 256;
    minimum_traffic(least_bytes(N, C));
    expect_lookup(numbered(64, C), striding_ids(N, 64));
}

TEST_CASE("nan payloads and signed zeros survive") {
    constexpr std::uint32_t patterns[4][3] = {
        {0x7fc12345, 0x7f812345, 0xffc00001}, // quiet NaN with a payload, signalling NaN, negative NaN
        {0x80000000, 0x00000000, 0x3f800000}, // -0, +0, 1
        {0x7f800000, 0xff800000, 0x7f7fffff}, // +Inf, -Inf, the largest finite number
        {0x00000001, 0x80000001, 0x007fffff}, // the smallest denormals and the largest
    };
    Grid<float> table(4, 3);
    for (std::size_t r = 0; r < 4; ++r)
        for (std::size_t c = 0; c < 3; ++c)
            table(r, c) = std::bit_cast<float>(patterns[r][c]);
    expect_lookup(table, {3, 0, 2, 1, 1, 0});
}

TEST_CASE("a second call does not remember the first") {
    expect_lookup(numbered(6, 4), {2, 0, 2, 5});
    expect_lookup(numbered(6, 4, 1000), {5, 2, 2, 0}, Stream::own);
    expect_lookup(numbered(6, 4), {2, 0, 2, 5});
}

TEST_CASE("a table of more than two billion elements") {
    // 40,000 rows, 65,536 elements apart, of which 8 are in use: only the rows that are written exist in
    // memory.
    constexpr std::size_t V = 40'000;
    constexpr std::size_t stride = 65'536;
    SparseGrid<float> room(V, stride);
    const std::vector<TokenId> ids{39'999, 32'767, 32'768, 0, 36'000};
    for (const TokenId id : ids)
        for (std::size_t c = 0; c < 8; ++c)
            room.row(static_cast<std::size_t>(id))[c] = static_cast<float>(id) + static_cast<float>(c) / 8;
    const Matrix<const float> table(room.row(0).data(), V, 8, stride);
    Grid<float> out(ids.size(), 8);
    Grid<float> want(ids.size(), 8);
    expect_status(subject::lookup(table, ids, out, Stream::standard),
                  reference::lookup(table, ids, want, Stream::standard));
    expect_identical("out", out, want);
}

TEST_CASE("seventy thousand rows") {
    expect_lookup(numbered(50, 1), striding_ids(70'001, 50));
}

TEST_CASE("narrow rows waste little") {
    constexpr std::size_t N = 96;
    constexpr std::size_t C = 24;
    minimum_traffic(least_bytes(N, C));
    expect_lookup(numbered(100, C), striding_ids(N, 100));
}

TEST_CASE("lookup at every boundary of its sizes") {
    adverse_lookup().sizes();
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

TEST_CASE("lookup, 65,536 ids of GPT-2" * timed) {
    const std::size_t V = at_scale(50'257, 1'000), C = at_scale(768, 256), N = at_scale(65'536, 96);
    Random random = harness::random();
    const auto table = random_grid<float>(random, V, C);
    time_calls("lookup", [&] {
        const auto ids = random_ids(random, N, V);
        expect_lookup(table, ids, Stream::own);
        return N * sizeof(TokenId) + (distinct(ids) + N) * C * sizeof(float);
    });
}

#include "harness/suite.h"
#include "harness/adversity/adverse.h"
#include "subject/proxies.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

// V: vocabulary size (rows), C: channels (columns)
using namespace contract;
using namespace harness;

namespace {

/// Element (r, c) is 10 * (r + 1) + c: as in the statement, a value tells its row and column.
Grid<float> numbered(std::size_t rows, std::size_t cols, std::size_t stride, float offset = 0) {
    Grid<float> table(rows, cols, stride);
    std::ranges::fill(table.cells(), -1.0F);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < cols; ++c)
            table(r, c) = offset + static_cast<float>(10 * (r + 1) + c);
    return table;
}
Grid<float> numbered(std::size_t rows, std::size_t cols) {
    return numbered(rows, cols, cols);
}

/// Copies row `r` and compares every bit with the reference's.
void expect_copied(const Matrix<const float>& table, std::size_t r) {
    INFO("r = ", r);
    Grid<float> out(1, table.cols);
    Grid<float> want(1, table.cols);
    subject::copy_row(table, r, out.row(0));
    reference::copy_row(table, r, want.row(0));
    expect_identical("out", out, want);
}

/// Row `r` of a call: any one, or the last one, which lies farthest from the table's beginning.
Parameter<std::size_t> any_row() {
    return value<std::size_t>(
        "r",
        [](const Extents& size, Random& random) {
            const std::size_t r = random.size(0, size["V"] - 1);
            return Named<std::size_t>{std::to_string(r), r};
        },
        [](const Extents& size) {
            std::vector<Named<std::size_t>> list{{"0", 0}};
            if (size["V"] > 1) list.push_back({"V - 1", size["V"] - 1});
            return list;
        });
}
Parameter<std::size_t> last_row() {
    const auto last = [](const Extents& size) { return Named<std::size_t>{"V - 1", size["V"] - 1}; };
    return value<std::size_t>(
        "r", [=](const Extents& size, Random&) { return last(size); },
        [=](const Extents& size) { return std::vector{last(size)}; });
}

auto adverse_copy(Parameter<std::size_t> row) {
    return Adverse("copy_row", subject::copy_row, &reference::copy_row,
                   {{.name = "V", .ordinary = 6, .least = 1}, {.name = "C", .ordinary = 5}},
                   matrix_in("table", "V", "C", copied()), std::move(row),
                   span_out("out", "C", Checked::nothing));
}

} // namespace

TEST_CASE("row 2 of the worked example") {
    Grid<float> out(1, 2);
    subject::copy_row(numbered(3, 2, 3), 2, out.row(0));
    expect_identical("out", out, Grid<float>(1, 2, {30, 31}));
}

TEST_CASE("row 0 is the first row") {
    const Grid<float> table(3, 2, {10, 11, 20, 21, 30, 31});
    Grid<float> out(1, 2);
    subject::copy_row(table, 0, out.row(0));
    expect_identical("out", out, Grid<float>(1, 2, {10, 11}));
}

TEST_CASE("each row of a table in turn") {
    const auto table = numbered(7, 4);
    for (const std::size_t r : {6, 0, 3, 5, 1, 4, 2})
        expect_copied(table, r);
}

TEST_CASE("a row is as long as the table is wide") {
    for (const std::size_t C : {1, 2, 3, 5, 7, 8, 9, 31, 64, 768}) {
        INFO("C = ", C);
        expect_copied(numbered(4, C), 2);
    }
}

TEST_CASE("rows with padding between them") {
    for (const std::size_t stride : {3, 5, 8})
        for (const std::size_t r : {2, 1})
            expect_copied(numbered(3, 2, stride), r);
}

TEST_CASE("a table without columns") {
    Grid<float> out(1, 0);
    subject::copy_row(Grid<float>(4, 0), 3, out.row(0));
    subject::copy_row(Matrix<const float>(nullptr, 4, 0), 1, {});
    expect_identical("out", out, Grid<float>(1, 0));
}

TEST_CASE("random tables agree with the reference") {
    for_random_sizes(16, {{"V", 1, 40}, {"C", 1, 33}, {"gap", 0, 5}}, [](const Sizes& size, Random& random) {
        const auto table = random_grid<float>(random, size["V"], size["C"], size["C"] + size["gap"]);
        expect_copied(table, random.size(0, size["V"] - 1));
    });
}

TEST_CASE("every bit arrives") {
    constexpr std::uint32_t patterns[] = {
        0x7fc12345, 0x7f812345, 0xffc00001, // quiet NaN with a payload, signalling NaN, negative NaN
        0x80000000, 0x00000000,             // -0, +0
        0x7f800000, 0xff800000, 0x7f7fffff, // +Inf, -Inf, the largest finite number
        0x00000001, 0x80000001, 0x007fffff, // the smallest denormals and the largest
        0x3dcccccd,                         // the float next to 0.1
    };
    Grid<float> table(2, std::size(patterns));
    table.fill(7.0F);
    for (std::size_t c = 0; c < table.cols(); ++c)
        table(1, c) = std::bit_cast<float>(patterns[c]);
    expect_copied(table, 1);
}

TEST_CASE("a second call does not remember the first") {
    for (const float offset : {0.0F, 1000.0F, 0.0F})
        expect_copied(numbered(6, 4, 4, offset), 3);
    // Nor what lies beside a row that was asked for: it may have changed before it is asked for itself.
    Grid<float> table = numbered(6, 9, 9, 0);
    for (std::size_t r = 0; r < 6; ++r)
        for (std::size_t other = 0; other < 6; ++other)
            for (std::size_t c = 0; c < 9; ++c) {
                expect_copied(table, r);
                table(other, c) += 1;
                expect_copied(table, other);
            }
}

TEST_CASE("tables of every size") {
    adverse_copy(any_row())
        .also({{{"V", 50'257}, {"C", 8}}, {{"V", 2}, {"C", (std::size_t{1} << 22) + 77}}})
        .sizes();
    adverse_copy(last_row()).sizes();
}

TEST_CASE("rows apart, empty rows, special bits, other calls before") {
    adverse_copy(any_row()).gaps();
    adverse_copy(any_row()).empty_axes();
    adverse_copy(any_row()).special_cases();
    adverse_copy(any_row()).history();
    // Each distance at which an offset of elements or bytes may lose its upper bits.
    constexpr std::size_t apart = (std::size_t{1} << 29) + 24, rows = 9;
    SparseGrid<float> memory(1, rows * apart);
    const Matrix<float> table(memory.row(0).data(), rows, 5, apart);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < 5; ++c)
            table(r, c) = static_cast<float>(10 * r + c);
    for (std::size_t r = 0; r < rows; ++r)
        expect_copied(table, r);
}

TEST_CASE("a row beyond element 2^32" * large) {
    adverse_copy(last_row()).far("V", Visits::few_rows);
}

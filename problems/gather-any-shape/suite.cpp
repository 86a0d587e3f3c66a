#include "harness/suite.h"
#include "harness/adversity/adverse.h"
#include "subject/proxies.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

// V: vocabulary size, C: channels, N: number of ids

using namespace contract;
using namespace harness;

namespace {

Status gather(Matrix<const float> table, const StridedIds<std::int32_t>& ids, Matrix<float> out) {
    return subject::gather32(table, ids, out);
}

Status gather(Matrix<const float> table, const StridedIds<std::int64_t>& ids, Matrix<float> out) {
    return subject::gather64(table, ids, out);
}

Status gather_reference(Matrix<const float> table, const StridedIds<std::int32_t>& ids, Matrix<float> out) {
    return reference::gather32(table, ids, out);
}

Status gather_reference(Matrix<const float> table, const StridedIds<std::int64_t>& ids, Matrix<float> out) {
    return reference::gather64(table, ids, out);
}

template <class I>
StridedIds<I> sequence(const std::vector<I>& ids) {
    return {ids.data(), 1, {ids.size()}, {1}};
}

/// Cell (r, c) holds 10 r + c, so that a value names its place.
Grid<float> numbered(std::size_t rows, std::size_t cols, std::size_t stride) {
    Grid<float> table(rows, cols, stride);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < cols; ++c)
            table(r, c) = static_cast<float>(10 * r + c);
    return table;
}

/// The six ids of the worked example.
const std::vector<std::int32_t> worked_ids{2, 3, 5, 1, 0, 4};

/// One call on the worked table, compared with rows written by hand.
void expect_worked_rows(const StridedIds<std::int32_t>& ids, std::initializer_list<float> values) {
    const Grid<float> table = numbered(6, 3, 3);
    Grid<float> out(ids.count(), 3);
    expect_status(gather(table, ids, out), Status{});
    expect_identical("out", out, Grid<float>(ids.count(), 3, values));
}

/// The subject's rows, and all that lies between them, against the reference's.
template <class I>
void expect_like_reference(Matrix<const float> table, const StridedIds<I>& ids, std::size_t out_stride) {
    Grid<float> out(ids.count(), table.cols, out_stride), want(ids.count(), table.cols, out_stride);
    const Status status = gather(table, ids, out);
    expect_status(status, gather_reference(table, ids, want));
    expect_identical("out with its padding", out.cells(), want.cells());
}

/// A call that must end in `want` and leave the output alone.
template <class I>
void expect_refused(Matrix<const float> table, const StridedIds<I>& ids, Status want) {
    Grid<float> out(ids.count(), table.cols);
    expect_status(gather(table, ids, out), want);
    expect_untouched("out after a refusal", out);
}

/// Ids with gaps between them in memory and their axes stored in a random order; the gaps hold valid ids too.
template <class I>
struct ScatteredIds {
    std::vector<I> buffer;
    StridedIds<I> view;

    ScatteredIds(Random& random, std::vector<std::size_t> shape, std::size_t V) {
        view.rank = shape.size();
        std::vector<std::size_t> order(shape.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        for (std::size_t i = order.size(); i > 1; --i)
            std::swap(order[i - 1], order[random.size(0, i - 1)]);
        std::size_t step = random.size(2, 3);
        for (const std::size_t axis : order) {
            view.shape[axis] = shape[axis];
            view.stride[axis] = step;
            step = step * shape[axis] + random.size(1, 2);
        }
        for (std::size_t i = 0; i < view.extent(); ++i)
            buffer.push_back(static_cast<I>(random.size(0, V - 1)));
        view.data = buffer.data();
    }

    /// Where the n-th id in reading order lies.
    I& at(std::size_t n) {
        std::size_t offset = 0;
        for (std::size_t axis = view.rank; axis-- > 0; n /= view.shape[axis])
            offset += n % view.shape[axis] * view.stride[axis];
        return buffer[offset];
    }
};

std::vector<std::size_t> shape_of(const Sizes& size) {
    const std::vector<std::size_t> all{size["A"], size["B"], size["T"], 2};
    return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(size["axes"])};
}

/// The sizes of the axes in ordinary calls, and the largest ones.
struct Axes {
    std::size_t ordinary[4] = {2, 3, 2, 2};
    std::size_t largest[4] = {3, 3, 3, 3};
};
constexpr Axes of_every_size{{2, 3, 2, 2}, {4'097, 17, 17, 130}};
constexpr Axes long_first_axis{{2, 3, 2, 2}, {4'097, 3, 3, 3}};
constexpr Axes one_long_axis{{9, 1, 1, 1}, {9, 1, 1, 1}};

/// gather32 and gather64 under all circumstances that every call must survive.
template <class I, class Subject>
auto adverse_gather(const char* name, const Subject& subject,
                    Status (*wanted)(Matrix<const float>, StridedIds<I>, Matrix<float>), const Axes& axes) {
    std::vector<ExtentDomain> extents{{.name = "V", .ordinary = 7}, {.name = "C", .ordinary = 3}};
    const std::array<const char*, 4> names{"axis 0", "axis 1", "axis 2", "axis 3"};
    for (std::size_t axis = 0; axis < 4; ++axis)
        extents.push_back(
            {.name = names[axis], .ordinary = axes.ordinary[axis], .largest = axes.largest[axis]});
    const Dim count([names](const Extents& size) {
        std::size_t product = 1;
        for (const char* axis : names)
            product *= size[axis];
        return product;
    });
    return Adverse(name, subject, wanted, extents, matrix_in("table", "V", "C", copied()),
                   strided_ids<I>("ids", {names.begin(), names.end()}, "V"), matrix_out("out", count, "C"));
}

auto adverse_gather32(const Axes& axes = {}) {
    return adverse_gather<std::int32_t>("gather32", subject::gather32, &reference::gather32, axes);
}
auto adverse_gather64(const Axes& axes = {}) {
    return adverse_gather<std::int64_t>("gather64", subject::gather64, &reference::gather64, axes);
}

} // namespace

TEST_CASE("a batch of two sequences gives six rows in reading order") {
    expect_worked_rows({worked_ids.data(), 2, {2, 3}, {3, 1}},
                       {20, 21, 22, 30, 31, 32, 50, 51, 52, 10, 11, 12, 0, 1, 2, 40, 41, 42});
}

TEST_CASE("a column of the id matrix is read with its stride") {
    expect_worked_rows({worked_ids.data() + 1, 1, {2}, {3}}, {30, 31, 32, 0, 1, 2});
}

TEST_CASE("a transposed view is read in its own order") {
    expect_worked_rows({worked_ids.data(), 2, {3, 2}, {1, 3}},
                       {20, 21, 22, 10, 11, 12, 30, 31, 32, 0, 1, 2, 50, 51, 52, 40, 41, 42});
}

TEST_CASE("a stride of zero shows the same ids again") {
    expect_worked_rows({worked_ids.data(), 2, {2, 3}, {0, 1}},
                       {20, 21, 22, 30, 31, 32, 50, 51, 52, 20, 21, 22, 30, 31, 32, 50, 51, 52});
}

TEST_CASE("a single id without axes gives one row") {
    expect_worked_rows({worked_ids.data() + 5, 0, {}, {}}, {40, 41, 42});
}

TEST_CASE("padding is skipped in the table and kept in the output") {
    const Grid<float> table = numbered(6, 3, 5);
    Grid<float> out(4, 3, 4), want(4, 3, 4);
    expect_status(gather(table, sequence<std::int32_t>({2, 3, 5, 1}), out), Status{});
    const std::size_t picked[] = {2, 3, 5, 1};
    for (std::size_t n = 0; n < 4; ++n)
        for (std::size_t c = 0; c < 3; ++c)
            want(n, c) = static_cast<float>(10 * picked[n] + c);
    expect_identical("out with its padding", out.cells(), want.cells());
}

TEST_CASE("64-bit ids pick the same rows as 32-bit ids") {
    const std::vector<std::int64_t> ids{2, 3, 5, 1, 0, 4};
    const Grid<float> table = numbered(6, 3, 3);
    Grid<float> out(6, 3);
    expect_status(gather(table, StridedIds<std::int64_t>{ids.data(), 2, {2, 3}, {3, 1}}, out), Status{});
    expect_identical(
        "out", out, Grid<float>(6, 3, {20, 21, 22, 30, 31, 32, 50, 51, 52, 10, 11, 12, 0, 1, 2, 40, 41, 42}));
}

TEST_CASE("the first bad id in reading order is named and nothing is written") {
    // Columns first in memory: id (1, 0) lies before id (0, 2), but is read after it.
    const std::vector<std::int32_t> ids{2, 17, 3, 4, 99, 1};
    const StridedIds<std::int32_t> view{ids.data(), 2, {2, 3}, {1, 2}};
    expect_refused(numbered(6, 3, 3), view, Status::id_out_of_range(2, 99, 6));
    // Both bad ids in the second sequence.
    const std::vector<std::int32_t> later{0, 5, 1, 4, -20, 33};
    expect_refused(numbered(6, 3, 3), StridedIds<std::int32_t>{later.data(), 2, {2, 3}, {3, 1}},
                   Status::id_out_of_range(4, -20, 6));
}

TEST_CASE("ids just outside the table are refused") {
    const Grid<float> table = numbered(6, 3, 3);
    for (const std::int32_t bad : {6, 7, -1, -6}) {
        CAPTURE(bad);
        expect_refused(table, sequence<std::int32_t>({0, 5, bad}), Status::id_out_of_range(2, bad, 6));
        expect_refused(table, sequence<std::int64_t>({0, 5, bad}), Status::id_out_of_range(2, bad, 6));
        expect_refused(table, sequence<std::int32_t>({bad, 0, 5}), Status::id_out_of_range(0, bad, 6));
    }
}

TEST_CASE("ids far outside the table are refused before a row is read") {
    const Grid<float> table = numbered(6, 3, 3);
    using Narrow = std::numeric_limits<std::int32_t>;
    using Wide = std::numeric_limits<std::int64_t>;
    for (const std::int64_t bad : {std::int64_t{1} << 40, (std::int64_t{1} << 32) + 2,
                                   -(std::int64_t{1} << 32), Wide::max(), Wide::min()}) {
        CAPTURE(bad);
        expect_refused(table, sequence<std::int64_t>({1, bad}), Status::id_out_of_range(1, bad, 6));
    }
    for (const std::int32_t bad : {Narrow::max(), Narrow::min()}) {
        CAPTURE(bad);
        expect_refused(table, sequence<std::int32_t>({1, bad}), Status::id_out_of_range(1, bad, 6));
    }
}

TEST_CASE("rows of every width are copied whole") {
    Random random = harness::random();
    for (const std::size_t C : {1, 2, 3, 5, 7, 8, 9, 15, 17, 768, 1600, 4097}) {
        CAPTURE(C);
        const auto table = random_grid<float>(random, 5, C);
        expect_like_reference(table, sequence<std::int32_t>({4, 0, 2, 4, 2}), C);
    }
}

TEST_CASE("the row that crosses element two to the thirty-one is copied whole") {
    // 239,674 * 8,960 = 2,147,479,040 fits into 31 bits, the row's last element at + 8,959 does not.
    SparseGrid<float> table(262'144, 8'960);
    Grid<float> want(1, 8'960);
    for (std::size_t c = 0; c < 8'960; ++c)
        want(0, c) = table.row(239'674)[c] = static_cast<float>(c + 1);
    // Where a 32-bit byte offset and a 16-bit id would read.
    for (const std::size_t decoy : {119'836, 119'837, 43'066})
        std::ranges::fill(table.row(decoy), static_cast<float>(decoy));
    Grid<float> out(1, 8'960);
    expect_status(gather(table, sequence<std::int32_t>({239'674}), out), Status{});
    expect_identical("out", out, want);
}

TEST_CASE("rows beyond element two to the thirty-one are found") {
    SparseGrid<float> table(262'144, 8'960);
    const std::vector<std::int64_t> ids{239'674, 262'143, 239'675, 131'072, 0};
    Grid<float> want(5, 8'960);
    for (std::size_t n = 0; n < ids.size(); ++n)
        for (std::size_t c = 0; c < 8'960; ++c)
            want(n, c) = table.row(static_cast<std::size_t>(ids[n]))[c] =
                static_cast<float>(10'000 * n + c + 1);
    // Row by row, since a wrong offset may well be the end of the process.
    for (std::size_t n = 0; n < ids.size(); ++n) {
        CAPTURE(ids[n]);
        Grid<float> out(1, 8'960);
        expect_status(gather(table, StridedIds<std::int64_t>{&ids[n], 1, {1}, {1}}, out), Status{});
        expect_identical("out", out.row(0), want.row(n));
    }
}

TEST_CASE("ids that lie far apart are read where they lie") {
    // Elements 0, 2^31 + 1 and 2^32 + 2; where an offset of 32 bits would read, there are other valid ids.
    constexpr std::size_t apart = (std::size_t{1} << 31) + 1;
    SparseGrid<std::int32_t> memory(1, 2 * apart + 1);
    const std::span<std::int32_t> room = memory.row(0);
    room[0] = 4;
    room[apart] = 1;
    room[2 * apart] = 5;
    room[2] = 3;
    const Grid<float> table = numbered(6, 3, 3);
    Grid<float> out(3, 3);
    expect_status(gather(table, StridedIds<std::int32_t>{room.data(), 1, {3}, {apart}}, out), Status{});
    expect_identical("out", out, Grid<float>(3, 3, {40, 41, 42, 10, 11, 12, 50, 51, 52}));
    // One id shown 2^32 + 2 or 2^32 + 3 times, which in 32 bits is 2 or 3.
    const auto too_many = [&](std::initializer_list<std::size_t> lengths, std::size_t rows) {
        StridedIds<std::int32_t> view{room.data(), lengths.size(), {}, {}};
        std::ranges::copy(lengths, std::begin(view.shape));
        Grid<float> unwritten(rows, 3);
        CAPTURE(rows);
        expect_status(gather(table, view, unwritten), {Code::shape_mismatch});
    };
    constexpr std::size_t above = std::size_t{1} << 32;
    too_many({above + 3}, 3);
    too_many({2, above / 2 + 1}, 2);
    too_many({above / 2 + 1, 1, 2}, 2);
}

TEST_CASE("ids above 65,535 keep all their bits") {
    const Grid<float> table = numbered(70'000, 2, 2);
    expect_like_reference(table, sequence<std::int32_t>({65'535, 65'536, 69'999, 4'463}), 2);
    expect_like_reference(table, sequence<std::int64_t>({65'535, 65'536, 69'999, 4'463}), 2);
}

TEST_CASE("three and four axes keep the reading order") {
    const Grid<float> table = numbered(24, 2, 2);
    std::vector<std::int32_t> ids(24);
    std::iota(ids.begin(), ids.end(), 0);
    // Ids 0 .. 23 in memory, shown as (2, 3, 4) and as (2, 3, 2, 2) with all axes reversed.
    expect_like_reference(table, StridedIds<std::int32_t>{ids.data(), 3, {2, 3, 4}, {12, 4, 1}}, 2);
    expect_like_reference(table, StridedIds<std::int32_t>{ids.data(), 4, {2, 3, 2, 2}, {1, 2, 6, 12}}, 2);
}

TEST_CASE("every bit pattern is copied unchanged") {
    Grid<float> table(4, 2);
    const std::uint32_t patterns[] = {0x80000000u, 0x00000001u, 0x7f800000u, 0xff800000u,
                                      0x7fc12345u, 0xff812345u, 0x007fffffu, 0x7f7fffffu};
    for (std::size_t i = 0; i < 8; ++i)
        table(i / 2, i % 2) = std::bit_cast<float>(patterns[i]);
    expect_like_reference(table, sequence<std::int32_t>({3, 2, 1, 0}), 2);
    expect_like_reference(table, sequence<std::int64_t>({0, 1, 2, 3}), 2);
}

TEST_CASE("no ids or no channels is fine") {
    const Grid<float> table = numbered(6, 3, 3);
    for (const auto& shape : {std::array<std::size_t, 2>{0, 3}, {2, 0}, {0, 0}}) {
        const StridedIds<std::int32_t> none{worked_ids.data(), 2, {shape[0], shape[1]}, {3, 1}};
        expect_like_reference(table, none, 3);
    }
    // There is nothing to walk over, however long the other axes are.
    constexpr std::size_t long_axis = std::size_t{1} << 40;
    const StridedIds<std::int32_t> long_and_empty{worked_ids.data(), 2, {long_axis, 0}, {1, 1}};
    expect_like_reference(table, long_and_empty, 3);
    const StridedIds<std::int64_t> long_twice{nullptr, 3, {long_axis, long_axis / 4, 0}, {0, 1, 1}};
    expect_like_reference(table, long_twice, 3);
    const StridedIds<std::int32_t> empty_and_long{worked_ids.data(), 2, {0, long_axis << 22}, {1, 1}};
    expect_like_reference(table, empty_and_long, 3);
    const StridedIds<std::int64_t> long_between{nullptr, 3, {0, long_axis << 20, 2}, {1, 1, 1}};
    expect_like_reference(table, long_between, 3);
    // Not even of an id that would always be the same.
    const std::int32_t beyond = 6;
    for (const auto& shape : {std::array<std::size_t, 2>{0, 3}, {2, 0}, {0, 0}}) {
        expect_like_reference(table, StridedIds<std::int32_t>{&beyond, 2, {shape[0], shape[1]}, {0, 0}}, 3);
        expect_like_reference(table, StridedIds<std::int32_t>{nullptr, 2, {shape[0], shape[1]}, {0, 0}}, 3);
    }
    expect_like_reference(Grid<float>(0, 3), sequence<std::int64_t>({}), 3);
    expect_like_reference(Grid<float>(6, 0), sequence<std::int64_t>({5, 0}), 0);
}

TEST_CASE("sizes that do not fit are refused before the ids are looked at") {
    const Grid<float> table = numbered(6, 3, 3);
    const std::vector<std::int32_t> ids{2, 3, -1, 1};
    const std::vector<std::array<std::size_t, 2>> shapes{{5, 3}, {3, 3}, {4, 4}, {4, 2}};
    for (const auto& [rows, cols] : shapes) {
        CAPTURE(rows);
        CAPTURE(cols);
        Grid<float> out(rows, cols);
        expect_status(gather(table, sequence(ids), out), Status{Code::shape_mismatch});
        expect_untouched("out after a refusal", out);
    }
    // A list of all ids would need more memory than there is.
    Grid<float> out(3, 3);
    for (const std::size_t repeated : {std::size_t{1} << 40, std::size_t{1} << 61}) {
        CAPTURE(repeated);
        const StridedIds<std::int32_t> many{worked_ids.data(), 2, {repeated, 3}, {0, 1}};
        expect_status(gather(table, many, out), Status{Code::shape_mismatch});
        expect_untouched("out after a refusal of many ids", out);
    }
}

TEST_CASE("table and output may begin at any float") {
    Random random = harness::random();
    for (std::size_t shift = 0; shift < 4; ++shift) {
        CAPTURE(shift);
        const auto cells = random_grid<float>(random, 1, 6 * 16 + 4);
        const Matrix<const float> table(cells.view().data + shift, 6, 16);
        Grid<float> out(1, 3 * 16 + 4), want(1, 3 * 16 + 4);
        const std::vector<std::int32_t> picked{5, 0, 3};
        const auto ids = sequence(picked);
        const Status status = gather(table, ids, Matrix<float>(out.cells().data() + 3 - shift, 3, 16));
        expect_status(status,
                      gather_reference(table, ids, Matrix<float>(want.cells().data() + 3 - shift, 3, 16)));
        expect_identical("out and what lies around it", out.cells(), want.cells());
    }
}

TEST_CASE("random shapes, strides and widths agree with the reference") {
    const auto agree = [](auto id, const Sizes& size, Random& random) {
        ScatteredIds<decltype(id)> ids(random, shape_of(size), size["V"]);
        const auto table = random_grid<float>(random, size["V"], size["C"], size["C"] + random.size(1, 5));
        expect_like_reference(table, ids.view, size["C"] + random.size(1, 5));
    };
    for_random_sizes(24, {{"axes", 2, 4}, {"A", 2, 3}, {"B", 2, 4}, {"T", 2, 6}, {"V", 20, 60}, {"C", 1, 33}},
                     [&](const Sizes& size, Random& random) {
                         agree(std::int32_t{}, size, random);
                         agree(std::int64_t{}, size, random);
                     });
    // 41 and 49 times their reciprocals are below 1, in float and in double.
    for_random_sizes(8,
                     {{"axes", 2, 4}, {"A", 2, 3}, {"B", 41, 41}, {"T", 49, 49}, {"V", 20, 60}, {"C", 1, 2}},
                     [&](const Sizes& size, Random& random) {
                         agree(std::int32_t{}, size, random);
                         agree(std::int64_t{}, size, random);
                     });
}

TEST_CASE("of several bad ids anywhere the first in reading order is named") {
    for_random_sizes(40, {{"axes", 2, 4}, {"A", 2, 3}, {"B", 2, 4}, {"T", 3, 6}, {"V", 1, 60}, {"C", 1, 9}},
                     [](const Sizes& size, Random& random) {
                         ScatteredIds<std::int64_t> ids(random, shape_of(size), size["V"]);
                         const auto V = static_cast<std::int64_t>(size["V"]);
                         const std::size_t N = ids.view.count();
                         const std::size_t first = random.size(1, N - 2);
                         ids.at(first) =
                             random.chance(0.5) ? V + random.integer(1, 9) : -V - random.integer(1, 9);
                         ids.at(random.size(first + 1, N - 1)) = -V - 10;
                         expect_refused(random_grid<float>(random, size["V"], size["C"]), ids.view,
                                        Status::id_out_of_range(first, ids.at(first), size["V"]));
                     });
    // An axis of stride 0 shows the same ids again, and each time they count.
    const Grid<float> table = numbered(6, 3, 3);
    for (std::size_t repeated = 1; repeated < 8; ++repeated)
        for (std::size_t bad = 0; bad < 12; ++bad) {
            std::vector<std::int64_t> ids(12, 4);
            ids[bad] = 6;
            StridedIds<std::int64_t> view{ids.data(), 3, {3, 2, 2}, {4, 2, 1}};
            for (std::size_t axis = 0; axis < 3; ++axis)
                if ((repeated >> axis & 1) != 0) view.stride[axis] = 0;
            expect_like_reference(table, view, 3);
        }
}

TEST_CASE("rows of ids of every shape and size") {
    const Extents single{{"C", 130}, {"axis 0", 1}, {"axis 1", 1}, {"axis 2", 1}, {"axis 3", 1}};
    adverse_gather32(of_every_size).also({{{"V", 131'073}, {"C", 2}, {"axis 0", 9}}, single, single}).sizes();
    adverse_gather64(of_every_size).also({single, single}).sizes();
}

TEST_CASE("rows that lie apart in table and output") {
    adverse_gather32().gaps();
    adverse_gather64().gaps();
}

TEST_CASE("no rows, no columns, no vocabulary") {
    adverse_gather32().empty_axes();
    adverse_gather64().empty_axes();
}

TEST_CASE("special ids, layouts, bits and shapes") {
    adverse_gather32(long_first_axis).special_cases();
    adverse_gather64(long_first_axis).special_cases();
}

TEST_CASE("rows after other calls") {
    // Views that reach over as many ids as they have, though some are left out and others shown again.
    const Grid<float> of_sixteen = numbered(16, 3, 3);
    std::vector<std::int32_t> sixteen(16);
    std::iota(sixteen.begin(), sixteen.end(), 0);
    for (const auto& [first, second, third] :
         {std::array<std::size_t, 3>{3, 3, 1}, {5, 1, 1}, {1, 5, 1}, {4, 2, 1}, {6, 0, 1}, {2, 2, 3}})
        expect_like_reference(
            of_sixteen, StridedIds<std::int32_t>{sixteen.data(), 3, {2, 2, 2}, {first, second, third}}, 3);
    // Views that have all in common but how many of their axes count.
    const Grid<float> table = numbered(24, 3, 3);
    std::vector<std::int32_t> ids(24);
    std::iota(ids.begin(), ids.end(), 0);
    std::ranges::reverse(ids);
    const std::vector<std::int64_t> wide(ids.begin(), ids.end());
    for (const std::size_t rank : {4, 2, 1, 3, 1, 0, 2, 0, 4, 3, 2}) {
        CAPTURE(rank);
        expect_like_reference(table, StridedIds<std::int32_t>{ids.data(), rank, {2, 3, 2, 2}, {1, 2, 6, 12}},
                              3);
        expect_like_reference(table, StridedIds<std::int64_t>{wide.data(), rank, {2, 3, 2, 2}, {1, 2, 6, 12}},
                              3);
    }
    adverse_gather32().history();
    adverse_gather64().history();
}

TEST_CASE("ids of 32 bits beyond element 2^32" * large) {
    // The axes of a transposed view need more than the right sum, and a quotient of numbers above 2^23, in a
    // thorough run, more than a float.
    constexpr std::size_t V = 1'000, columns = 2'801;
    const std::size_t rows = by_depth(101, 3'001);
    Random random = constructed();
    const auto table = random_grid<float>(random, V, 1);
    const std::vector<std::int32_t> ids = random_ids(random, rows * columns, V);
    const StridedIds<std::int32_t> transposed{ids.data(), 2, {columns, rows}, {1, columns}};
    Grid<float> out(rows * columns, 1), want(rows * columns, 1);
    expect_status(subject::gather32(table, transposed, out), reference::gather32(table, transposed, want));
    expect_identical("rows of a transposed view", out, want);

    adverse_gather32(one_long_axis).far("V", Visits::few_rows);
}

TEST_CASE("ids of 64 bits beyond element 2^32" * large) {
    adverse_gather64(one_long_axis).far("V", Visits::few_rows);
}

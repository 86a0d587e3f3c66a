#include "harness/suite.h"
#include "harness/adversity/adverse.h"
#include "subject/proxies.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

// V: vocabulary size, C: channels, N: number of ids

using namespace contract;
using namespace harness;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

/// Half the distance from 1 to the next float: the largest relative error of one rounding.
constexpr double unit_roundoff = 0x1p-24;

/// Cell (r, c) holds 10 r + c, so that a value names its place.
Grid<float> numbered(std::size_t rows, std::size_t cols) {
    Grid<float> table(rows, cols);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < cols; ++c)
            table(r, c) = static_cast<float>(10 * r + c);
    return table;
}

Grid<float> filled(std::size_t rows, std::size_t cols, float value) {
    Grid<float> grid(rows, cols);
    grid.fill(value);
    return grid;
}

Grid<float> onehot_of(const std::vector<TokenId>& ids, std::size_t V) {
    Grid<float> onehot = filled(ids.size(), V, 0.0f);
    for (std::size_t n = 0; n < ids.size(); ++n)
        onehot(n, static_cast<std::size_t>(ids[n])) = 1.0f;
    return onehot;
}

/// Small integers: every product and sum of them is exact in float.
Grid<float> random_integers(Random& random, std::size_t rows, std::size_t cols) {
    Grid<float> grid(rows, cols);
    for (float& cell : grid.cells())
        cell = static_cast<float>(random.integer(-8, 8));
    return grid;
}

double inner_product(const Grid<float>& a, const Grid<float>& b) {
    double sum = 0;
    for (std::size_t r = 0; r < a.rows(); ++r)
        for (std::size_t c = 0; c < a.cols(); ++c)
            sum += static_cast<double>(a(r, c)) * b(r, c);
    return sum;
}

/// A sum of n products has at most n roundings on the way of each term (Higham, Accuracy and Stability of
/// Numerical Algorithms, 3.1), and the expected value is rounded once itself: |error| <= (n + 2) u sum |x|
/// |y|. The 2 also covers the terms of second order in u for the sizes used here.
double dot_bound(std::size_t n, double sum_of_magnitudes) {
    return static_cast<double>(n + 2) * unit_roundoff * sum_of_magnitudes;
}

void expect_product(Matrix<const float> onehot, Matrix<const float> table, std::size_t out_stride) {
    Grid<float> out(onehot.rows, table.cols, out_stride), want(onehot.rows, table.cols, out_stride);
    expect_status(subject::onehot_matmul(onehot, table, out), Status{});
    reference::onehot_matmul(onehot, table, want);
    Grid<double> bound(onehot.rows, table.cols);
    for (std::size_t n = 0; n < onehot.rows; ++n)
        for (std::size_t c = 0; c < table.cols; ++c) {
            double magnitudes = 0;
            for (std::size_t v = 0; v < table.rows; ++v)
                magnitudes += std::abs(static_cast<double>(onehot(n, v)) * table(v, c));
            bound(n, c) = dot_bound(table.rows, magnitudes);
        }
    expect_within("out", out, want, bound);
}

void expect_transposed_product(Matrix<const float> onehot, Matrix<const float> dout,
                               std::size_t dtable_stride) {
    Grid<float> dtable(onehot.cols, dout.cols, dtable_stride), want(onehot.cols, dout.cols, dtable_stride);
    expect_status(subject::onehot_matmul_transposed(onehot, dout, dtable), Status{});
    reference::onehot_matmul_transposed(onehot, dout, want);
    Grid<double> bound(onehot.cols, dout.cols);
    for (std::size_t v = 0; v < onehot.cols; ++v)
        for (std::size_t c = 0; c < dout.cols; ++c) {
            double magnitudes = 0;
            for (std::size_t n = 0; n < dout.rows; ++n)
                magnitudes += std::abs(static_cast<double>(onehot(n, v)) * dout(n, c));
            bound(v, c) = dot_bound(dout.rows, magnitudes);
        }
    expect_within("dtable", dtable, want, bound);
}

void expect_scatter(const std::vector<TokenId>& ids, Matrix<const float> dout, const Grid<float>& before) {
    Grid<float> dtable = before, want = before;
    expect_status(subject::scatter_add(ids, dout, dtable), Status{});
    reference::scatter_add(ids, dout, want);
    Grid<double> bound(before.rows(), before.cols());
    for (std::size_t v = 0; v < before.rows(); ++v)
        for (std::size_t c = 0; c < before.cols(); ++c) {
            double magnitudes = std::abs(static_cast<double>(before(v, c)));
            std::size_t terms = 0;
            for (std::size_t n = 0; n < ids.size(); ++n)
                if (static_cast<std::size_t>(ids[n]) == v) {
                    magnitudes += std::abs(static_cast<double>(dout(n, c)));
                    ++terms;
                }
            bound(v, c) = terms == 0 ? 0.0 : dot_bound(terms, magnitudes); // without an id not a bit changes
        }
    expect_within("dtable", dtable, want, bound);
}

/// What nothing else is added to may be far from 1, too.
Contents terms_of_any_size() {
    Contents contents = factors(fractions());
    contents.special.push_back({"numbers below 2^-38", scaled(fractions(), 0x1p-40F)});
    contents.special.push_back({"numbers around 2^40", scaled(fractions(), 0x1p40F)});
    return contents;
}
const ExtentDomain rows_of_table{.name = "V", .ordinary = 6}, channels{.name = "C", .ordinary = 3},
    number_of_ids{.name = "N", .ordinary = 5};

/// So much work that programs share it among threads, whose sums meet in some order.
const Extents worth_sharing{{"V", 6}, {"C", 257}, {"N", 1'037}};

// All sums are exact, whatever their order, so the bound of the contract is 0.
auto adverse_encode() {
    return Adverse("onehot_encode", subject::onehot_encode, &reference::onehot_encode,
                   {rows_of_table, number_of_ids}, ids("ids", "N", "V"),
                   matrix_out("onehot", "N", "V", Checked::rows));
}
auto adverse_product() {
    return Adverse("onehot_matmul", subject::onehot_matmul, &reference::onehot_matmul,
                   {rows_of_table, channels, number_of_ids},
                   matrix_in("onehot", "N", "V", factors(small_integers())),
                   matrix_in("table", "V", "C", terms_of_any_size(), Checked::rows),
                   matrix_out("out", "N", "C"))
        .rule("out", {.kind = Rule::Kind::values});
}
auto adverse_gather() {
    return Adverse("gather", subject::gather, &reference::gather, {rows_of_table, channels, number_of_ids},
                   matrix_in("table", "V", "C", copied()), ids("ids", "N", "V"), matrix_out("out", "N", "C"));
}
auto adverse_transposed() {
    return Adverse("onehot_matmul_transposed", subject::onehot_matmul_transposed,
                   &reference::onehot_matmul_transposed, {rows_of_table, channels, number_of_ids},
                   matrix_in("onehot", "N", "V", factors(small_integers())),
                   matrix_in("dout", "N", "C", terms_of_any_size(), Checked::rows),
                   matrix_out("dtable", "V", "C"))
        .rule("dtable", {.kind = Rule::Kind::values});
}

auto adverse_scatter() {
    return Adverse("scatter_add", subject::scatter_add, &reference::scatter_add,
                   {rows_of_table, channels, number_of_ids}, ids("ids", "N", "V"),
                   matrix_in("dout", "N", "C", factors(fractions()), Checked::rows),
                   matrix_sum("dtable", "V", "C",
                              {fractions(), {{"NaN payloads and infinities", nan_and_infinity()}}},
                              Checked::cols))
        .rule("dtable", {.kind = Rule::Kind::values})
        .exact("dtable", [](Ids ids, const auto&, const auto& dtable) {
            const std::set<TokenId> named(ids.begin(), ids.end());
            return [named, C = dtable.cols](std::size_t i) {
                return !named.contains(static_cast<TokenId>(i / C));
            };
        });
}

/// A count whose products with others that are small fit into 64 bits.
Parameter<std::uint64_t> counted(const char* name) {
    return value<std::uint64_t>(
        name,
        [](const Extents&, Random& random) {
            const std::uint64_t count = random.size(1, 30);
            return Named<std::uint64_t>{std::to_string(count), count};
        },
        [](const Extents&) {
            std::vector<Named<std::uint64_t>> list;
            for (const Named<std::uint64_t>& each : ends_of_64_bits())
                if (each.value <= (1ULL << 53) + 1) list.push_back(each);
            return list;
        });
}

/// Rows of zeros but for a few numbers, whose places need more than 16 bits.
Grid<float> sparse(std::size_t rows, std::size_t cols, bool transposed) {
    Grid<float> grid(transposed ? cols : rows, transposed ? rows : cols);
    grid.fill(0);
    std::size_t turn = 0;
    for (std::size_t r = 0; r < rows; ++r)
        for (const std::size_t c : {turn % 3, cols / 2 + r, std::size_t{65'535} + r, cols - 1 - turn % 2}) {
            (transposed ? grid(c, r) : grid(r, c)) = static_cast<float>(1 + turn % 5);
            ++turn;
        }
    return grid;
}

} // namespace

TEST_CASE("four ids become four one-hot rows") {
    Grid<float> onehot(4, 6);
    expect_status(subject::onehot_encode(std::vector<TokenId>{2, 3, 5, 1}, onehot), Status{});
    expect_identical("onehot", onehot, Grid<float>(4, 6, {0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0,
                                                          0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0}));
}

TEST_CASE("the product with one-hot rows picks rows of the table") {
    Grid<float> out(4, 3);
    expect_status(subject::onehot_matmul(onehot_of({2, 3, 5, 1}, 6), numbered(6, 3), out), Status{});
    expect_close("out", out, Grid<float>(4, 3, {20, 21, 22, 30, 31, 32, 50, 51, 52, 10, 11, 12}),
                 Tolerance{});
}

TEST_CASE("a row that mixes two tokens gives their mean") {
    // What is no one-hot row, though it has a sum of 1, and a sum of squares of 1.
    const Grid<float> nearly(
        5, 4, {-0.5F, 0.5F, 0.5F, 0.5F, 1, 0x1p-60F, 0, 0, 2, -1, 0, 0, 1, 1, -1, 0, 0, 1, 0x1p-30F, 0});
    expect_product(nearly, Grid<float>(4, 2, {0x1p50F, 2, 0x1p60F, 3, -0x1p50F, 0x1p40F, 7, 0}), 2);
    Grid<float> mix = filled(2, 6, 0.0f);
    mix(0, 1) = mix(0, 4) = 0.5f;
    mix(1, 0) = 1.0f;
    mix(1, 5) = -1.0f;
    Grid<float> out(2, 3);
    expect_status(subject::onehot_matmul(mix, numbered(6, 3), out), Status{});
    expect_close("out", out, Grid<float>(2, 3, {25, 26, 27, -50, -50, -50}), Tolerance{});
}

TEST_CASE("infinity in one row poisons the product but not the gather") {
    const Grid<float> table(4, 3, {1, 2, 3, 4, infinity, 6, 7, 8, not_a_number, 10, 11, 12});
    const std::vector<TokenId> ids{0, 1, 3};
    Grid<float> product(3, 3);
    expect_status(subject::onehot_matmul(onehot_of(ids, 4), table, product), Status{});
    expect_close("product", product,
                 Grid<float>(3, 3,
                             {1, not_a_number, not_a_number,    // 0 * infinity, 0 * NaN
                              4, infinity, not_a_number,        // 1 * infinity, 0 * NaN
                              10, not_a_number, not_a_number}), // 0 * infinity, 0 * NaN
                 Tolerance{});
    Grid<float> rows(3, 3);
    expect_status(subject::gather(table, ids, rows), Status{});
    expect_identical("gather", rows, Grid<float>(3, 3, {1, 2, 3, 4, infinity, 6, 10, 11, 12}));
}

TEST_CASE("infinity in one gradient poisons the transposed product but not the scatter-add") {
    const Grid<float> dout(2, 2, {1, infinity, 2, 3});
    const std::vector<TokenId> ids{0, 2};
    Grid<float> product(3, 2);
    expect_status(subject::onehot_matmul_transposed(onehot_of(ids, 3), dout, product), Status{});
    expect_close("transposed product", product,
                 Grid<float>(3, 2, {1, infinity, 0, not_a_number, 2, not_a_number}), Tolerance{});
    Grid<float> sums = filled(3, 2, 0.0f);
    expect_status(subject::scatter_add(ids, dout, sums), Status{});
    expect_close("scatter-add", sums, Grid<float>(3, 2, {1, infinity, 0, 0, 2, 3}), Tolerance{});
}

TEST_CASE("the transposed product adds up the gradient of repeated ids") {
    Grid<float> dtable(4, 2);
    expect_status(subject::onehot_matmul_transposed(onehot_of({0, 2, 0}, 4), filled(3, 2, 1.0f), dtable),
                  Status{});
    expect_close("dtable", dtable, Grid<float>(4, 2, {2, 2, 0, 0, 1, 1, 0, 0}), Tolerance{});
}

TEST_CASE("scatter-add keeps what the table of gradients already holds") {
    // In a row without ids not even a signalling NaN, which arithmetic would quieten, may change.
    const float signalling = std::bit_cast<float>(0x7f812345u);
    Grid<float> dtable(4, 2, {10, 20, 30, 40, 50, 60, signalling, -0.0f});
    expect_status(
        subject::scatter_add(std::vector<TokenId>{0, 2, 0}, Grid<float>(3, 2, {1, 2, 3, 4, 5, 6}), dtable),
        Status{});
    expect_identical("dtable", dtable, Grid<float>(4, 2, {16, 28, 30, 40, 53, 64, signalling, -0.0f}));
}

TEST_CASE("product and gather agree on any finite table") {
    for_random_sizes(24, {{"V", 2, 40}, {"C", 1, 17}, {"N", 1, 12}}, [](const Sizes& size, Random& random) {
        const auto table = random_grid<float>(random, size["V"], size["C"]);
        const auto ids = random_ids(random, size["N"], size["V"]);
        Grid<float> rows(size["N"], size["C"]), product(size["N"], size["C"]), want(size["N"], size["C"]);
        expect_status(subject::gather(table, ids, rows), Status{});
        expect_status(subject::onehot_matmul(onehot_of(ids, size["V"]), table, product), Status{});
        reference::gather(table, ids, want);
        expect_identical("gather", rows, want);
        // x * 1 and sums with zeros are exact; only the sign of a zero may differ.
        expect_close("product", product, want, Tolerance{});
    });
    // So they are below the normal numbers, and a sum of two of those is.
    const Grid<float> tiny(3, 2, {0x1p-149F, -0x1p-149F, 0x3p-140F, 0x1p-126F, -0x7p-148F, 0x1.fffffcp-127F});
    Grid<float> product(3, 2), transposed(3, 2);
    expect_status(subject::onehot_matmul(onehot_of({2, 0, 1}, 3), tiny, product), Status{});
    expect_close("product of tiny numbers", product,
                 Grid<float>(3, 2, {tiny(2, 0), tiny(2, 1), tiny(0, 0), tiny(0, 1), tiny(1, 0), tiny(1, 1)}),
                 Tolerance{});
    expect_status(subject::onehot_matmul_transposed(onehot_of({1, 1, 0}, 3), tiny, transposed), Status{});
    expect_close(
        "transposed product of tiny numbers", transposed,
        Grid<float>(3, 2, {tiny(2, 0), tiny(2, 1), tiny(0, 0) + tiny(1, 0), tiny(0, 1) + tiny(1, 1), 0, 0}),
        Tolerance{});
}

TEST_CASE("scatter-add agrees with the reference within its rounding errors") {
    for_random_sizes(24, {{"V", 1, 12}, {"C", 1, 9}, {"N", 20, 60}}, [](const Sizes& size, Random& random) {
        const auto dout = spread_grid(random, size["N"], size["C"]);
        const auto ids = random_ids(random, size["N"], size["V"]);
        expect_scatter(ids, dout, random_grid<float>(random, size["V"], size["C"]));
    });
}

TEST_CASE("a bad id is refused and nothing is written") {
    for (const TokenId bad :
         {4, 5, -1, -4, std::numeric_limits<TokenId>::max(), std::numeric_limits<TokenId>::min()}) {
        CAPTURE(bad);
        const auto refused = [&](const std::vector<TokenId>& ids, std::size_t where) {
            const Status want = Status::id_out_of_range(where, bad, 4);
            Grid<float> onehot(4, 4), rows(4, 2), dtable(4, 2);
            expect_status(subject::onehot_encode(ids, onehot), want);
            expect_untouched("onehot after a refusal", onehot);
            expect_status(subject::gather(numbered(4, 2), ids, rows), want);
            expect_untouched("out after a refusal", rows);
            expect_status(subject::scatter_add(ids, filled(4, 2, 1.0f), dtable), want);
            expect_untouched("dtable after a refusal", dtable);
        };
        refused({3, bad, 0, -7}, 1);
        refused({bad, 3, 0, 2}, 0);
    }
}

TEST_CASE("sizes that do not fit are refused before the ids are looked at") {
    const Status want{Code::shape_mismatch};
    const std::vector<TokenId> ids{2, -1, 1};
    const auto refused = [&](auto call, std::size_t rows, std::size_t cols) {
        CAPTURE(rows);
        CAPTURE(cols);
        Grid<float> out(rows, cols);
        expect_status(call(out.view()), want);
        expect_untouched("output after a refusal", out);
    };
    const Grid<float> weights = filled(3, 5, 0.0f), table = numbered(5, 2), dout = filled(3, 2, 1.0f);
    // Each pair of sizes that must agree, one too large and one too small.
    for (const std::size_t N : {2, 4}) {
        refused([&](Matrix<float> out) { return subject::onehot_encode(ids, out); }, N, 5);
        refused([&](Matrix<float> out) { return subject::gather(table, ids, out); }, N, 2);
        refused([&](Matrix<float> out) { return subject::onehot_matmul(weights, table, out); }, N, 2);
        const Grid<float> other = filled(N, 2, 1.0f);
        refused([&](Matrix<float> out) { return subject::scatter_add(ids, other, out); }, 5, 2);
        refused([&](Matrix<float> out) { return subject::onehot_matmul_transposed(weights, other, out); }, 5,
                2);
    }
    for (const std::size_t C : {1, 3}) {
        refused([&](Matrix<float> out) { return subject::gather(table, ids, out); }, 3, C);
        refused([&](Matrix<float> out) { return subject::onehot_matmul(weights, table, out); }, 3, C);
        refused([&](Matrix<float> out) { return subject::scatter_add(ids, dout, out); }, 5, C);
        refused([&](Matrix<float> out) { return subject::onehot_matmul_transposed(weights, dout, out); }, 5,
                C);
    }
    for (const std::size_t V : {4, 6}) {
        const Grid<float> other = numbered(V, 2);
        refused([&](Matrix<float> out) { return subject::onehot_matmul(weights, other, out); }, 3, 2);
        refused([&](Matrix<float> out) { return subject::onehot_matmul_transposed(weights, dout, out); }, V,
                2);
    }
}

TEST_CASE("the price of 8,192 tokens of GPT-2") {
    const Cost product = subject::cost_onehot(8'192, 50'257, 768);
    expect_equal("flops of the product", product.flops, std::uint64_t{632'379'408'384});
    expect_equal("bytes of the one-hot matrix", product.selector_bytes, std::uint64_t{1'646'821'376});
    expect_equal("bytes of the product", product.bytes, std::uint64_t{1'826'376'704});
    const Cost copy = subject::cost_gather(8'192, 768);
    expect_equal("flops of the gather", copy.flops, std::uint64_t{0});
    expect_equal("bytes of the ids", copy.selector_bytes, std::uint64_t{32'768});
    expect_equal("bytes of the gather", copy.bytes, std::uint64_t{50'364'416});
}

TEST_CASE("prices are exact at both ends of the scale") {
    expect_true("one id, one row, one column: 2 flops, 4 bytes of selector, 12 bytes",
                subject::cost_onehot(1, 1, 1) == Cost{2, 4, 12});
    expect_true("one id and one column: no flops, 4 bytes of selector, 12 bytes",
                subject::cost_gather(1, 1) == Cost{0, 4, 12});
    expect_true("no ids: no flops, no selector, and the product still reads its table",
                subject::cost_onehot(0, 6, 3) == Cost{0, 0, 72} && subject::cost_gather(0, 3) == Cost{});
    // A batch of 32 x 512 tokens: the one-hot matrix alone takes 3.294 GB.
    expect_equal("bytes of the one-hot matrix", subject::cost_onehot(16'384, 50'257, 768).selector_bytes,
                 std::uint64_t{3'293'642'752});
    expect_equal("bytes of the ids", subject::cost_gather(16'384, 768).selector_bytes, std::uint64_t{65'536});
    // 2^20 ids, 2^18 rows, 2^13 columns: 2^52 flops.
    expect_equal("flops", subject::cost_onehot(1u << 20, 1u << 18, 1u << 13).flops, std::uint64_t{1} << 52);
    expect_equal("bytes", subject::cost_gather(1u << 20, 1u << 13).bytes,
                 (std::uint64_t{1} << 36) + (std::uint64_t{1} << 22));
}

TEST_CASE("no ids is fine") {
    const Grid<float> none(0, 5), no_rows(0, 2), table = numbered(5, 2);
    Grid<float> onehot(0, 5), out(0, 2), rows(0, 2);
    expect_status(subject::onehot_encode({}, onehot), Status{});
    expect_status(subject::onehot_matmul(none, table, out), Status{});
    expect_status(subject::gather(table, {}, rows), Status{});
    Grid<float> dtable(5, 2);
    expect_status(subject::onehot_matmul_transposed(none, no_rows, dtable), Status{});
    expect_close("the empty sum", dtable, filled(5, 2, 0.0f), Tolerance{});
    Grid<float> kept = table;
    expect_status(subject::scatter_add({}, no_rows, kept), Status{});
    expect_identical("dtable without ids", kept, table);
}

TEST_CASE("the product with any factors stays within its rounding errors") {
    for_random_sizes(24, {{"V", 1, 64}, {"C", 1, 17}, {"N", 1, 12}}, [](const Sizes& size, Random& random) {
        const auto weights = random_grid<float>(random, size["N"], size["V"]);
        expect_product(weights, spread_grid(random, size["V"], size["C"]), size["C"]);
    });
    // Rows of one 1 invite a short cut, perhaps only where there are many columns. It reads one row of the
    // table.
    for (const std::size_t V : {5, 33, 129, 1'025}) {
        const std::vector<TokenId> ids{0, 2, static_cast<TokenId>(V - 1)};
        for (const float value : {infinity, not_a_number}) {
            INFO("V = ", V, ", one-hot rows, and ", value, " in one row of the table");
            Grid<float> table = numbered(V, 3), out(3, 3), want(3, 3);
            table(V / 2, 1) = value;
            expect_status(subject::onehot_matmul(onehot_of(ids, V), table, out), Status{});
            reference::onehot_matmul(onehot_of(ids, V), table, want);
            expect_close("out", out, want, Tolerance{});
        }
    }
}

TEST_CASE("the transposed product with any factors stays within its rounding errors") {
    for_random_sizes(24, {{"V", 2, 40}, {"C", 1, 17}, {"N", 2, 64}}, [](const Sizes& size, Random& random) {
        const auto weights = random_grid<float>(random, size["N"], size["V"]);
        expect_transposed_product(weights, spread_grid(random, size["N"], size["C"]), size["C"]);
    });
    for (const std::size_t N : {5, 33, 129, 1'025}) {
        std::vector<TokenId> ids(N, 2);
        ids[0] = 0;
        for (const float value : {infinity, not_a_number}) {
            INFO("N = ", N, ", one-hot rows, and ", value, " in one row of dout");
            Grid<float> dout = filled(N, 2, 0.5F), out(4, 2), want(4, 2);
            dout(N / 2, 1) = value;
            expect_status(subject::onehot_matmul_transposed(onehot_of(ids, 4), dout, out), Status{});
            reference::onehot_matmul_transposed(onehot_of(ids, 4), dout, want);
            expect_close("dtable", out, want, Tolerance{});
        }
    }
}

TEST_CASE("product and transposed product are adjoint") {
    // <X E, G> = <E, X^T G> for all X, E and G. With small integers no rounding happens, so it holds exactly.
    for_random_sizes(24, {{"V", 2, 30}, {"C", 1, 9}, {"N", 2, 30}}, [](const Sizes& size, Random& random) {
        const auto weights = random_integers(random, size["N"], size["V"]);
        const auto table = random_integers(random, size["V"], size["C"]);
        const auto dout = random_integers(random, size["N"], size["C"]);
        Grid<float> out(size["N"], size["C"]), dtable(size["V"], size["C"]);
        expect_status(subject::onehot_matmul(weights, table, out), Status{});
        expect_status(subject::onehot_matmul_transposed(weights, dout, dtable), Status{});
        expect_near("<X E, G> = <E, X^T G>", inner_product(out, dout), inner_product(table, dtable), 0.0);
    });
}

TEST_CASE("padded rows are respected everywhere") {
    Random random = harness::random();
    const std::vector<TokenId> ids{4, 0, 4};
    const auto table = random_grid<float>(random, 5, 3, 7);
    const auto dout = random_grid<float>(random, 3, 3, 5);
    const auto weights = random_grid<float>(random, 3, 5, 8);
    expect_product(weights, table, 4);
    expect_transposed_product(weights, dout, 6);
    expect_scatter(ids, dout, random_grid<float>(random, 5, 3, 4));

    Grid<float> onehot(3, 5, 9), want_onehot(3, 5, 9), rows(3, 3, 4), want_rows(3, 3, 4);
    expect_status(subject::onehot_encode(ids, onehot), Status{});
    expect_status(subject::gather(table, ids, rows), Status{});
    reference::onehot_encode(ids, want_onehot);
    reference::gather(table, ids, want_rows);
    expect_identical("onehot with its padding", onehot.cells(), want_onehot.cells());
    expect_identical("out with its padding", rows.cells(), want_rows.cells());
}

TEST_CASE("gather copies every bit pattern") {
    Grid<float> table(4, 2), want(4, 2);
    const std::uint32_t patterns[] = {0x80000000u, 0x00000001u, 0x7f800000u, 0xff800000u,
                                      0x7fc12345u, 0xff812345u, 0x007fffffu, 0x7f7fffffu};
    for (std::size_t i = 0; i < 8; ++i) {
        table(i / 2, i % 2) = std::bit_cast<float>(patterns[i]);
        want(3 - i / 2, i % 2) = std::bit_cast<float>(patterns[i]);
    }
    Grid<float> out(4, 2);
    expect_status(subject::gather(table, std::vector<TokenId>{3, 2, 1, 0}, out), Status{});
    expect_identical("out", out, want);
}

TEST_CASE("8,192 equal ids add up to 8,192") {
    const std::vector<TokenId> ids(8'192, 1);
    const Grid<float> ones = filled(8'192, 1, 1.0f);
    Grid<float> dtable(3, 1), sums = filled(3, 1, 0.0f);
    expect_status(subject::onehot_matmul_transposed(onehot_of(ids, 3), ones, dtable), Status{});
    expect_close("transposed product", dtable, Grid<float>(3, 1, {0, 8'192, 0}), Tolerance{});
    expect_status(subject::scatter_add(ids, ones, sums), Status{});
    expect_close("scatter-add", sums, Grid<float>(3, 1, {0, 8'192, 0}), Tolerance{});
}

TEST_CASE("one-hot rows of every size, with gaps between them") {
    adverse_encode().sizes();
    adverse_encode().gaps();
}

TEST_CASE("one-hot rows with empty axes, special ids and after other calls") {
    adverse_encode().empty_axes();
    adverse_encode().special_cases();
    adverse_encode().history();
}

TEST_CASE("products of every size, with gaps between rows") {
    Random random = constructed();
    expect_product(sparse(5, 70'003, false), spread_grid(random, 70'003, 2), 2);
    adverse_product().sizes();
    adverse_product().gaps();
}

TEST_CASE("products with empty axes, special numbers and after other calls") {
    adverse_product().empty_axes();
    adverse_product().special_cases();
    adverse_product().history();
    adverse_product().after(adverse_transposed());
}

TEST_CASE("gathered rows of every size, with gaps between them") {
    adverse_gather().also({{{"V", 131'073}, {"C", 2}, {"N", 9}}}).sizes();
    adverse_gather().gaps();
}

TEST_CASE("gathered rows with empty axes, special ids and bits, and after other calls") {
    adverse_gather().empty_axes();
    adverse_gather().special_cases();
    adverse_gather().history();
    adverse_gather().after(adverse_scatter());
}

TEST_CASE("transposed products of every size, with gaps between rows") {
    Random random = constructed();
    expect_transposed_product(sparse(5, 70'003, true), spread_grid(random, 70'003, 2), 2);
    adverse_transposed().sizes();
    adverse_transposed().gaps();
}

TEST_CASE("transposed products with empty axes, special numbers and after other calls") {
    adverse_transposed().empty_axes();
    adverse_transposed().special_cases();
    adverse_transposed().also({worth_sharing}).history();
    adverse_transposed().after(adverse_product());
}

TEST_CASE("scattered rows of every size, with gaps between them") {
    adverse_scatter().sizes();
    adverse_scatter().gaps();
}

TEST_CASE("scattered rows with empty axes, special ids and bits, and after other calls") {
    adverse_scatter().empty_axes();
    adverse_scatter().special_cases();
    adverse_scatter().also({worth_sharing}).history();
    adverse_scatter().after(adverse_gather());
}

TEST_CASE("costs of counts at the ends of 32 bits") {
    Adverse onehot("cost_onehot", subject::cost_onehot, &reference::cost_onehot, {}, counted("N"),
                   counted("V"), counted("d"));
    Adverse gather("cost_gather", subject::cost_gather, &reference::cost_gather, {}, counted("N"),
                   counted("d"));
    const char* const overflow = "the product has to fit into 64 bits";
    onehot.without(Adversity::two_specials, "", overflow);
    gather.without(Adversity::two_specials, "", overflow);
    const auto bytes = [](const Cost& cost) { return static_cast<double>(cost.bytes); };
    onehot.result_number("the right `bytes`", bytes);
    gather.result_number("the right `bytes`", bytes);
    onehot.special_cases();
    onehot.history();
    gather.special_cases();
    gather.history();
}

TEST_CASE("one-hot rows beyond element 2^32" * large) {
    // As floats, numbers of neighbouring columns are equal from here on.
    constexpr std::size_t V = (std::size_t{1} << 24) + 3;
    const std::vector<TokenId> last{static_cast<TokenId>(V - 2)};
    Grid<float> rows(1, V), want(1, V);
    subject::onehot_encode(last, rows);
    reference::onehot_encode(last, want);
    expect_identical("onehot", rows, want);
    adverse_encode().far();
}

TEST_CASE("products beyond element 2^32" * large) {
    adverse_product().far();
}

TEST_CASE("gathered rows beyond element 2^32" * large) {
    adverse_gather().far("V", Visits::few_rows);
}

TEST_CASE("transposed products beyond element 2^32" * large) {
    adverse_transposed().far();
}

TEST_CASE("scattered rows beyond element 2^32" * large) {
    adverse_scatter().far("V", Visits::few_rows);
}

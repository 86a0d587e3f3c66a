#include "fixtures.h"

using namespace suite;

namespace {

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

auto adverse_gather() {
    return Adverse("gather", subject::gather, &reference::gather, {rows_of_table, channels, number_of_ids},
                   matrix_in("table", "V", "C", copied()), ids("ids", "N", "V"), matrix_out("out", "N", "C"));
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

} // namespace

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

TEST_CASE("gathered rows beyond element 2^32" * large) {
    adverse_gather().far("V", Visits::few_rows);
}

TEST_CASE("scattered rows beyond element 2^32" * large) {
    adverse_scatter().far("V", Visits::few_rows);
}

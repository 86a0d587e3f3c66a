#include "fixtures.h"

using namespace suite;

namespace {

/// `last`: ordinary calls mean the last row, which lies farthest away.
auto adverse_padding_row(bool last = false) {
    const auto index = value<std::int64_t>(
        "padding_idx",
        [last](const Extents& size, Random& random) {
            const std::size_t V = std::max<std::size_t>(size["V"], 1);
            const auto row = static_cast<std::int64_t>(last ? V - 1 : random.size(0, V - 1));
            return Named<std::int64_t>{std::to_string(row), row};
        },
        [](const Extents& size) {
            const auto V = static_cast<std::int64_t>(size["V"]);
            std::vector<Named<std::int64_t>> list;
            const auto add = [&](std::string words, std::int64_t index) {
                list.push_back({std::move(words), index, index < -V || index >= V});
            };
            add("0", 0), add("-1", -1), add("V - 1", V - 1), add("-V", -V), add("V", V), add("V + 1", V + 1);
            add("-V - 1", -V - 1), add("2^31", 1LL << 31), add("2^32", 1LL << 32);
            add("2^32 + 1", (1LL << 32) + 1), add("-2^32", -(1LL << 32)), add("-2^31 - 1", -(1LL << 31) - 1);
            add("2^63 - 1", std::numeric_limits<std::int64_t>::max());
            add("-2^63", std::numeric_limits<std::int64_t>::min());
            return list;
        });
    return Adverse("zero_padding_row", subject::zero_padding_row, &reference::zero_padding_row, table_size,
                   matrix_sum("table", "V", "C",
                              {normal(), {{"NaN payloads, infinities and denormals", any_bits()}}},
                              Checked::nothing),
                   index);
}

} // namespace

TEST_CASE("values that make no distribution are refused and nothing is written") {
    struct Case {
        const char* what;
        float mean, std, a, b;
    };
    const Case cases[] = {{"std 0", 0, 0, -1, 1},
                          {"std negative", 0, -1, -1, 1},
                          {"std NaN", 0, not_a_number, -1, 1},
                          {"std infinite", 0, infinity, -1, 1},
                          {"mean NaN", not_a_number, 1, -1, 1},
                          {"mean infinite", infinity, 1, -1, infinity},
                          {"a NaN", 0, 1, not_a_number, 1},
                          {"b NaN", 0, 1, -1, not_a_number},
                          {"a equal to b", 0, 1, 0.5, 0.5},
                          {"a above b", 0, 1, 1, -1}};
    for (const Case& it : cases) {
        Grid<float> table(2, 3);
        expect_status(subject::init_truncated_normal(table, it.mean, it.std, it.a, it.b, 7),
                      Status{Code::invalid_argument});
        expect_untouched(it.what, table);
    }
}

TEST_CASE("the padding row becomes zero and no other row changes") {
    Random random = harness::random();
    const std::size_t rows = random.size(4, 9), cols = random.size(3, 20), stride = cols + random.size(1, 5);
    const auto count = static_cast<std::int64_t>(rows);
    for (const std::int64_t index :
         {std::int64_t{0}, std::int64_t{2}, count - 1, std::int64_t{-1}, -count + 1, -count}) {
        auto table = random_grid<float>(random, rows, cols, stride);
        auto want = table;
        for (float& x : want.row(static_cast<std::size_t>(index < 0 ? index + count : index)))
            x = 0.0f;
        expect_status(subject::zero_padding_row(table, index), Status{});
        expect_identical("table", table.cells(), want.cells());
    }
    for (const std::int64_t index : {count, -count - 1, std::numeric_limits<std::int64_t>::min()}) {
        auto table = random_grid<float>(random, rows, cols);
        const auto want = table;
        expect_status(subject::zero_padding_row(table, index), Status::id_out_of_range(0, index, rows));
        expect_identical("table after a refused index", table, want);
    }
}

TEST_CASE("padding rows at both ends and beyond") {
    adverse_padding_row().also({{{"V", 131'073}, {"C", 2}}}).sizes();
    adverse_padding_row().gaps();
    adverse_padding_row().empty_axes();
    adverse_padding_row().special_cases();
    adverse_padding_row().history();
}

TEST_CASE("a padding row beyond element 2^32" * large) {
    adverse_padding_row(true).far("V", Visits::few_rows);
}

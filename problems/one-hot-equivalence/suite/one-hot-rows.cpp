#include "fixtures.h"

using namespace suite;

namespace {

// All sums are exact, whatever their order, so the bound of the contract is 0.
auto adverse_encode() {
    return Adverse("onehot_encode", subject::onehot_encode, &reference::onehot_encode,
                   {rows_of_table, number_of_ids}, ids("ids", "N", "V"),
                   matrix_out("onehot", "N", "V", Checked::rows));
}

} // namespace

TEST_CASE("four ids become four one-hot rows") {
    Grid<float> onehot(4, 6);
    expect_status(subject::onehot_encode(std::vector<TokenId>{2, 3, 5, 1}, onehot), Status{});
    expect_identical("onehot", onehot, Grid<float>(4, 6, {0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0,
                                                          0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0}));
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

TEST_CASE("one-hot rows of every size, with gaps between them") {
    adverse_encode().sizes();
    adverse_encode().gaps();
}

TEST_CASE("one-hot rows with empty axes, special ids and after other calls") {
    adverse_encode().empty_axes();
    adverse_encode().special_cases();
    adverse_encode().history();
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

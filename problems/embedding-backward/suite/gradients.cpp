#include "fixtures.h"

using namespace suite;

namespace {

/// Element number i is first + i.
Grid<float> counted(std::size_t rows, std::size_t cols, float first) {
    Grid<float> grid(rows, cols);
    for (float& value : grid.cells())
        value = first++;
    return grid;
}

/// Adds with the submission to copies of both gradients, and holds every bit against the reference.
void expect_gradients(const Cube<float>& dout, const Grid<TokenId>& ids, const Grid<float>& dwte,
                      const Grid<float>& dwpe, const BackwardOptions& options = {}) {
    Grid<float> got_wte = dwte;
    Grid<float> got_wpe = dwpe;
    Grid<float> want_wte = dwte;
    Grid<float> want_wpe = dwpe;
    expect_status(subject::embed_backward(dout, ids, got_wte, got_wpe, options),
                  reference::embed_backward(dout, ids, want_wte, want_wpe, options));
    expect_identical("dwte", got_wte, want_wte);
    expect_identical("dwpe", got_wpe, want_wpe);
}

/// Four tokens and five positions refuse the call with exactly this status, and keep what they hold.
void expect_refused(const Grid<TokenId>& ids, const BackwardOptions& options, Status status) {
    const Cube<float> dout = numbered(ids.rows(), ids.cols(), 3);
    const Grid<float> before_wte = counted(4, 3, 100);
    const Grid<float> before_wpe = counted(5, 3, 200);
    Grid<float> dwte = before_wte;
    Grid<float> dwpe = before_wpe;
    expect_status(subject::embed_backward(dout, ids, dwte, dwpe, options), status);
    expect_identical("dwte", dwte, before_wte);
    expect_identical("dwpe", dwpe, before_wpe);
}

} // namespace

TEST_CASE("each row collects the gradients of its token") {
    // The worked example: dout[b, t] = (10 (b + 1) + t, -1), gradients that begin at zero.
    const Cube<float> dout(2, 3, 2,
                           {10.0F, -1.0F, 11.0F, -1.0F, 12.0F, -1.0F, //
                            20.0F, -1.0F, 21.0F, -1.0F, 22.0F, -1.0F});
    Grid<float> dwte = filled(4, 2, 0);
    Grid<float> dwpe = filled(5, 2, 0);
    expect_status(subject::embed_backward(dout, Grid<TokenId>(2, 3, {2, 0, 2, 1, 2, 0}), dwte, dwpe, {}),
                  Status{});
    expect_identical("dwte", dwte,
                     Grid<float>(4, 2,
                                 {33.0F, -2.0F, //
                                  20.0F, -1.0F, //
                                  43.0F, -3.0F, //
                                  0.0F, 0.0F}));
    expect_identical("dwpe", dwpe,
                     Grid<float>(5, 2,
                                 {30.0F, -2.0F, //
                                  32.0F, -2.0F, //
                                  34.0F, -2.0F, //
                                  0.0F, 0.0F,   //
                                  0.0F, 0.0F}));
}

TEST_CASE("a repeated token collects once for each time") {
    const auto expect_rows = [](const Grid<TokenId>& ids, const Grid<float>& want) {
        Cube<float> ones(ids.rows(), ids.cols(), want.cols());
        ones.fill(1.0F);
        Grid<float> dwte = filled(want.rows(), want.cols(), 0);
        Grid<float> dwpe = filled(4, want.cols(), 0);
        expect_status(subject::embed_backward(ones, ids, dwte, dwpe, {}), Status{});
        expect_identical("dwte", dwte, want);
    };
    expect_rows(Grid<TokenId>(1, 3, {0, 2, 0}), Grid<float>(4, 1, {2.0F, 0.0F, 1.0F, 0.0F}));
    expect_rows(Grid<TokenId>(1, 3, {1, 1, 2}),
                Grid<float>(4, 2, {0.0F, 0.0F, 2.0F, 2.0F, 1.0F, 1.0F, 0.0F, 0.0F}));
    expect_rows(Grid<TokenId>(2, 2, {3, 3, 3, 3}), Grid<float>(4, 1, {0.0F, 0.0F, 0.0F, 4.0F}));
    expect_rows(Grid<TokenId>(1, 2, {0, 0}), Grid<float>(1, 1, {2.0F})); // a vocabulary of one
}

TEST_CASE("positions are summed over the batch") {
    Grid<float> dwte = filled(6, 2, 0);
    Grid<float> dwpe = filled(4, 2, 0);
    const Cube<float> dout = numbered(3, 2, 2); // 1 2 | 3 4, 5 6 | 7 8, 9 10 | 11 12
    expect_status(subject::embed_backward(dout, Grid<TokenId>(3, 2, {0, 1, 2, 3, 4, 5}), dwte, dwpe, {}),
                  Status{});
    expect_identical("dwpe", dwpe, Grid<float>(4, 2, {15.0F, 18.0F, 21.0F, 24.0F, 0.0F, 0.0F, 0.0F, 0.0F}));
    expect_identical(
        "dwte", dwte,
        Grid<float>(6, 2, {1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F, 7.0F, 8.0F, 9.0F, 10.0F, 11.0F, 12.0F}));
}

TEST_CASE("a second call adds to the first") {
    const Grid<TokenId> ids(2, 3, {3, 0, 1, 0, 2, 2});
    const Cube<float> dout = numbered(2, 3, 4);
    expect_gradients(dout, ids, counted(5, 4, 1000), counted(6, 4, 2000)); // onto what was there

    Grid<float> dwte = filled(5, 4, 0);
    Grid<float> dwpe = filled(6, 4, 0);
    expect_status(subject::embed_backward(dout, ids, dwte, dwpe, {}), Status{});
    Grid<float> twice_wte = dwte;
    Grid<float> twice_wpe = dwpe;
    for (float& value : twice_wte.cells())
        value *= 2;
    for (float& value : twice_wpe.cells())
        value *= 2;
    expect_status(subject::embed_backward(dout, ids, dwte, dwpe, {}), Status{});
    expect_identical("dwte after two equal calls, against twice the first", dwte, twice_wte);
    expect_identical("dwpe after two equal calls, against twice the first", dwpe, twice_wpe);
}

TEST_CASE("untouched rows keep every bit") {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    Grid<float> dwte = filled(6, 3, 0);
    Grid<float> dwpe = filled(5, 3, 0);
    for (std::size_t c = 0; c < 3; ++c) {
        dwte(1, c) = dwpe(3, c) = std::bit_cast<float>(0x7fc12345U); // a NaN with a payload
        dwte(3, c) = dwpe(4, c) = -0.0F;
        dwte(5, c) = dwpe(0, c) = infinity;
    }
    Cube<float> dout = numbered(1, 2, 3);
    dout(0, 1, 0) = infinity; // 0 * Inf would be NaN in every row
    expect_gradients(dout, Grid<TokenId>(1, 2, {4, 0}), dwte, dwpe, {.start = 1});
}

TEST_CASE("start moves the position rows") {
    const Cube<float> dout = numbered(2, 3, 2);
    const Grid<TokenId> ids(2, 3, {0, 3, 1, 2, 2, 0});
    for (const std::size_t start : {0, 1, 3, 4}) { // 4 + 3 = P: the window ends at the last position
        INFO("start = ", start);
        expect_gradients(dout, ids, filled(4, 2, 0), filled(7, 2, 0), {.start = start});
    }
}

TEST_CASE("the padding token gets no gradient") {
    const Cube<float> dout = numbered(2, 3, 2);
    const Grid<TokenId> ids(2, 3, {3, 0, 1, 0, 2, 0});
    for (const std::int64_t padding : {0, 1, 2, 3}) {
        INFO("padding_idx = ", padding);
        expect_gradients(dout, ids, counted(4, 2, 10), counted(3, 2, 20), {.padding_idx = padding});
    }
    for (const std::int64_t none :
         {std::int64_t{-1}, std::int64_t{-3}, std::numeric_limits<std::int64_t>::min()}) {
        INFO("padding_idx = ", none);
        expect_gradients(dout, ids, counted(4, 2, 10), counted(3, 2, 20), {.padding_idx = none});
    }
    for (const std::size_t pads : {1, 2, 1000})
        for (const std::vector<TokenId>& others : {std::vector<TokenId>{}, {1, 3}, {2}}) {
            INFO("paddings: ", pads, ", other tokens: ", others.size());
            Grid<TokenId> ids(1, pads + others.size());
            ids.fill(0);
            std::ranges::copy(others, ids.row(0).begin() + static_cast<std::ptrdiff_t>(pads / 2));
            const Cube<float> dout = numbered(1, ids.cols(), 2);
            expect_gradients(dout, ids, filled(4, 2, -0.0F), filled(ids.cols(), 2, 0), {.padding_idx = 0});
        }
}

TEST_CASE("the scale reaches the token table alone") {
    const Cube<float> dout = numbered(2, 2, 4);
    for (const float scale : {2.0F, 0.5F, -4.0F, 0.0F}) {
        INFO("scale = ", scale);
        expect_gradients(dout, Grid<TokenId>(2, 2, {1, 0, 2, 1}), counted(3, 4, 10), counted(2, 4, 20),
                         {.scale = scale});
    }
}

TEST_CASE("random shapes agree with the reference") {
    // S tokens came before, E more would fit behind. Padding is 0: no token, 1: the first of all, 2: token 0.
    for_random_sizes(
        24,
        {{"V", 1, 12}, {"C", 1, 33}, {"B", 1, 4}, {"T", 1, 9}, {"S", 1, 5}, {"E", 1, 4}, {"padding", 0, 2}},
        [](const Sizes& size, Random& random) {
            BackwardOptions options{.start = size["S"], .scale = static_cast<float>(random.uniform(1.5, 3))};
            const auto dout = spread_cube(random, size["B"], size["T"], size["C"]);
            auto ids = random_id_grid(random, size["B"], size["T"], size["V"]);
            if (size["padding"] == 2) ids(0, 0) = 0;
            if (size["padding"] > 0) options.padding_idx = ids(0, 0);
            const auto before_wte = random_grid<float>(random, size["V"], size["C"]);
            const auto before_wpe = random_grid<float>(random, size["S"] + size["T"] + size["E"], size["C"]);
            Bound bound_wte(before_wte);
            Bound bound_wpe(before_wpe);
            for (std::size_t b = 0; b < ids.rows(); ++b)
                for (std::size_t t = 0; t < ids.cols(); ++t)
                    for (std::size_t c = 0; c < size["C"]; ++c) {
                        const double g = dout(b, t, c);
                        bound_wte.add(static_cast<std::size_t>(ids(b, t)), c,
                                      g * static_cast<double>(options.scale));
                        bound_wpe.add(options.start + t, c, g);
                    }
            auto dwte = before_wte;
            auto dwpe = before_wpe;
            auto want_wte = before_wte;
            auto want_wpe = before_wpe;
            expect_status(subject::embed_backward(dout, ids, dwte, dwpe, options),
                          reference::embed_backward(dout, ids, want_wte, want_wpe, options));
            expect_within("dwte", dwte, want_wte, bound_wte.get());
            expect_within("dwpe", dwpe, want_wpe, bound_wpe.get());
        });
}

TEST_CASE("rows of any width are summed whole") {
    for (const std::size_t C : {1, 3, 5, 7, 8, 9, 16, 31, 768}) {
        INFO("C = ", C);
        expect_gradients(numbered(2, 3, C), Grid<TokenId>(2, 3, {3, 0, 1, 0, 2, 2}), counted(4, C, 5),
                         counted(5, C, 9), {.start = 1});
    }
}

TEST_CASE("padding between rows is skipped") {
    const auto widened = []<class T>(const Grid<T>& dense, std::size_t stride) {
        Grid<T> wide(dense.rows(), dense.cols(), stride);
        for (std::size_t r = 0; r < dense.rows(); ++r)
            std::ranges::copy(dense.row(r), wide.row(r).begin());
        return wide;
    };
    const auto ids = widened(Grid<TokenId>(2, 3, {2, 0, 2, 1, 3, 0}), 7);
    Grid<float> dwte = widened(counted(4, 3, 10), 5);
    Grid<float> dwpe = widened(counted(6, 3, 30), 4);
    Grid<float> want_wte = dwte;
    Grid<float> want_wpe = dwpe;
    const Cube<float> dout = numbered(2, 3, 3);
    expect_status(subject::embed_backward(dout, ids, dwte, dwpe, {.start = 1}),
                  reference::embed_backward(dout, ids, want_wte, want_wpe, {.start = 1}));
    expect_identical("dwte", dwte, want_wte);
    expect_identical("dwpe", dwpe, want_wpe);
    expect_true("what lies between the rows of dwte and dwpe is left alone",
                dwte == want_wte && dwpe == want_wpe);
}

TEST_CASE("a bad id is refused and nothing is added") {
    expect_refused(Grid<TokenId>(2, 3, {-1, 0, 1, 2, 3, 0}), {}, Status{Code::id_out_of_range, 0, -1, 4});
    expect_refused(Grid<TokenId>(2, 3, {0, 1, 4, 2, 3, 0}), {}, Status{Code::id_out_of_range, 2, 4, 4});
    expect_refused(Grid<TokenId>(2, 3, {0, 1, 2, 3, 0, 9}), {}, Status{Code::id_out_of_range, 5, 9, 4});
    expect_refused(Grid<TokenId>(2, 3, {0, 1, 2, -4, 0, 9}), {.padding_idx = 0},
                   Status{Code::id_out_of_range, 3, -4, 4});
    expect_refused(Grid<TokenId>(1, 2, {0, -1}), {.padding_idx = -1},
                   Status{Code::id_out_of_range, 1, -1, 4});
}

TEST_CASE("a window beyond the position table is refused") {
    expect_refused(Grid<TokenId>(1, 3, {0, 1, 2}), {.start = 3},
                   Status{Code::position_out_of_range, 2, 5, 5});
    expect_refused(Grid<TokenId>(1, 6, {0, 1, 2, 3, 0, 1}), {}, Status{Code::position_out_of_range, 5, 5, 5});
    expect_refused(Grid<TokenId>(2, 1, {0, 1}), {.start = 7}, Status{Code::position_out_of_range, 0, 7, 5});
    expect_refused(Grid<TokenId>(2, 0), {.start = 6}, Status{Code::position_out_of_range, 0, 6, 5});
}

TEST_CASE("an empty batch or sequence adds nothing") {
    struct Shape {
        std::size_t B, T, start;
    };
    for (const auto& [B, T, start] : {Shape{0, 3, 2}, {2, 0, 2}, {2, 0, 5}, {0, 0, 0}}) {
        INFO("B = ", B, ", T = ", T, ", start = ", start);
        const Grid<float> before_wte = filled(4, 3, -0.0F);
        const Grid<float> before_wpe = filled(5, 3, std::bit_cast<float>(0x7fc12345U));
        Grid<float> dwte = before_wte;
        Grid<float> dwpe = before_wpe;
        expect_status(
            subject::embed_backward(Cube<float>(B, T, 3), Grid<TokenId>(B, T), dwte, dwpe, {.start = start}),
            Status{});
        expect_identical("dwte", dwte, before_wte);
        expect_identical("dwpe", dwpe, before_wpe);
    }
}

TEST_CASE("what does not fit is refused in the order of the contract") {
    const auto expect_status_of = [](const Cube<float>& dout, const Grid<TokenId>& ids, Grid<float> dwte,
                                     Grid<float> dwpe, const BackwardOptions& options, Status status) {
        const Grid<float> before_wte = dwte;
        const Grid<float> before_wpe = dwpe;
        expect_status(subject::embed_backward(dout, ids, dwte, dwpe, options), status);
        expect_identical("dwte", dwte, before_wte);
        expect_identical("dwpe", dwpe, before_wpe);
    };
    const Grid<TokenId> ids(2, 3, {2, 0, 2, 1, 3, 0});
    const Grid<float> dwte = filled(4, 3, 1);
    const Grid<float> dwpe = filled(5, 3, 1);
    const Status mismatch{Code::shape_mismatch};
    expect_status_of(numbered(3, 3, 3), ids, dwte, dwpe, {}, mismatch);
    expect_status_of(numbered(2, 2, 3), ids, dwte, dwpe, {}, mismatch);
    expect_status_of(numbered(3, 2, 3), ids, dwte, dwpe, {}, mismatch); // as many elements, other shape
    expect_status_of(numbered(2, 3, 4), ids, dwte, dwpe, {}, mismatch);
    expect_status_of(numbered(2, 3, 3), ids, filled(4, 2, 1), dwpe, {}, mismatch);
    expect_status_of(numbered(2, 3, 3), ids, dwte, filled(5, 4, 1), {}, mismatch);
    expect_status_of(numbered(2, 3, 4), ids, dwte, dwpe, {.start = 9, .padding_idx = 4}, mismatch);

    constexpr std::size_t largest = std::numeric_limits<std::size_t>::max();
    expect_refused(ids, {.padding_idx = 4}, Status{Code::invalid_argument, 0, 4, 4});
    expect_refused(ids, {.start = 9, .padding_idx = std::int64_t{1} << 32},
                   Status{Code::invalid_argument, 0, std::int64_t{1} << 32, 4});
    expect_refused(ids, {.start = largest}, Status{Code::position_out_of_range, 0, -1, 5});
    expect_refused(ids, {.start = largest - 2},
                   Status{Code::position_out_of_range, 0, -3, 5}); // start + T would be 0
    expect_refused(Grid<TokenId>(1, 6, {9, 0, 0, 0, 0, 0}), {}, Status{Code::position_out_of_range, 5, 5, 5});
    for (const TokenId id : {std::numeric_limits<TokenId>::max(), std::numeric_limits<TokenId>::min()})
        expect_refused(Grid<TokenId>(1, 1, {id}), {}, Status{Code::id_out_of_range, 0, id, 4});
}

#include "fixtures.h"

using namespace suite;

namespace {

double dot(std::span<const float> a, std::span<const float> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += double{a[i]} * double{b[i]};
    return sum;
}

/// One of the two bounds of a backward pass, for views that may have any shape.
std::vector<double> bounds_of_backward(bool of_tokens, const Tensor3<const float>& dout, const Ids2D& ids,
                                       std::size_t start, const Dropout& dropout, const Matrix<float>& dwte,
                                       const Matrix<float>& dwpe) {
    const auto copy = [](const Matrix<float>& from) {
        Grid<float> grid(from.rows, from.cols);
        for (std::size_t r = 0; r < from.rows; ++r)
            std::copy_n(from.row(r), from.cols, grid.row(r).begin());
        return grid;
    };
    Cube<float> terms(dout.batch, dout.time, dout.channels);
    for (std::size_t b = 0; b < dout.batch; ++b)
        for (std::size_t t = 0; t < dout.time; ++t)
            std::copy_n(dout.row(b, t), dout.channels, terms.row(b, t).begin());
    const BackwardBounds bounds = bounds_of(terms, copy(dwte), copy(dwpe), ids, start, dropout);
    const Grid<double>& wanted = of_tokens ? bounds.tokens : bounds.positions;
    std::vector<double> list;
    for (std::size_t r = 0; r < wanted.rows(); ++r)
        list.insert(list.end(), wanted.row(r).begin(), wanted.row(r).end());
    return list;
}
auto adverse_backward() {
    const Contents gradients{normal(), {{"NaN payloads and infinities", nan_and_infinity()}}};
    return Adverse(
               "backward", subject::backward, &reference::backward, sequence_extents(),
               tensor_in("dout", "B", "T", "C", gradients, Checked::all),
               device_id_matrix("ids", "B", "T", "V"), start("start", "start", "T", all_positions()),
               dropout_options<Dropout>("dropout"), matrix_sum("dwte", "V", "C", gradients, Checked::cols),
               matrix_sum("dwpe", all_positions(), "C", gradients, Checked::limit_and_cols), stream("stream"))
        .bounds("dwte",
                [](const auto& dout, const auto& ids, std::size_t start, const Dropout& dropout,
                   const auto& dwte, const auto& dwpe,
                   Stream) { return bounds_of_backward(true, dout, ids, start, dropout, dwte, dwpe); })
        .bounds("dwpe",
                [](const auto& dout, const auto& ids, std::size_t start, const Dropout& dropout,
                   const auto& dwte, const auto& dwpe,
                   Stream) { return bounds_of_backward(false, dout, ids, start, dropout, dwte, dwpe); })
        .unordered("dwte")
        .unordered("dwpe");
}

/// No bound is needed, which is dear for large tables and cannot be had for far ones: where half of all
/// elements are dropped and the others doubled, sums of fractions are exact.
auto exact_backward() {
    const auto halves = value<Dropout>(
        "dropout",
        [](const Extents&, Random& random) {
            return Named<Dropout>{"p = 0.5", training(0.5F, random.bits())};
        },
        [](const Extents&) { return std::vector<Named<Dropout>>{}; });
    return Adverse("backward", subject::backward, &reference::backward, sequence_extents(),
                   tensor_in("dout", "B", "T", "C", {}, Checked::all), device_id_matrix("ids", "B", "T", "V"),
                   start("start", "start", "T", all_positions()), halves,
                   matrix_sum("dwte", "V", "C", {}, Checked::cols),
                   matrix_sum("dwpe", all_positions(), "C", {}, Checked::limit_and_cols), stream("stream"))
        .rule("dwte", {.kind = Rule::Kind::values})
        .rule("dwpe", {.kind = Rule::Kind::values})
        .exact("dwte",
               [](const auto&, const Ids2D& ids, std::size_t, const Dropout&, const auto& dwte, const auto&,
                  Stream) {
                   std::set<std::size_t> summed;
                   for (std::size_t b = 0; b < ids.rows; ++b)
                       for (std::size_t t = 0; t < ids.cols; ++t)
                           summed.insert(static_cast<std::size_t>(ids(b, t)));
                   return [summed, C = dwte.cols](std::size_t i) { return !summed.contains(i / C); };
               })
        .exact("dwpe", [](const auto&, const Ids2D& ids, std::size_t first, const Dropout&, const auto&,
                          const auto& dwpe, Stream) {
            return [B = ids.rows, T = ids.cols, first, C = dwpe.cols](std::size_t i) {
                return B == 0 || i / C < first || i / C - first >= T;
            };
        });
}

} // namespace

TEST_CASE("gradients meet in shared rows") {
    const Grid<TokenId> ids(1, 3, {0, 2, 0});
    Cube<float> ones(1, 3, 2);
    ones.fill(1);
    Grid<float> dwte = filled(4, 2, 0), dwpe = filled(5, 2, 0.5F);
    for (int call = 0; call < 2; ++call)
        expect_status(subject::backward(ones, ids, 1, evaluation, dwte, dwpe, Stream::standard), Status{});
    expect_identical("dwte after two calls", dwte, Grid<float>(4, 2, {4, 4, 0, 0, 2, 2, 0, 0}));
    expect_identical("dwpe after two calls", dwpe,
                     Grid<float>(5, 2, {0.5F, 0.5F, 2.5F, 2.5F, 2.5F, 2.5F, 2.5F, 2.5F, 0.5F, 0.5F}));

    // Two products, each rounded to float, have one sum.
    Random random = constructed();
    const auto dout = random_cube<float>(random, 2, 1, 64);
    const Grid<TokenId> twice(2, 1, {1, 1});
    // Of 0.15 and 0.48 the float 1 - p is rounded, so that a factor made in double is another one.
    for (const float p : {0.3F, 0.15F, 0.48F}) {
        CAPTURE(p);
        Grid<float> same = filled(2, 64, 0), row = filled(1, 64, 0), want = same, want_row = row;
        expect_status(subject::backward(dout, twice, 0, training(p, 5), same, row, Stream::own), Status{});
        reference::backward(dout, twice, 0, training(p, 5), want, want_row, Stream::own);
        expect_identical("dwte of two terms", same, want);
        expect_identical("dwpe of two terms", row, want_row);
    }
}

TEST_CASE("random shapes go backward") {
    for_random_sizes(12,
                     {{"V", 1, 20}, {"spare", 0, 3}, {"C", 1, 40}, {"B", 1, 4}, {"T", 1, 8}, {"pad", 0, 3}},
                     [](const Sizes& size, Random& random) {
                         const std::size_t C = size["C"], P = size["T"] + size["spare"];
                         const auto dwte = random_grid<float>(random, size["V"], C, C + size["pad"]);
                         const auto dwpe = random_grid<float>(random, P, C, C + size["pad"] / 2);
                         const auto dout = spread_cube(random, size["B"], size["T"], C);
                         const auto ids = random_id_grid(random, size["B"], size["T"], size["V"]);
                         const auto p = static_cast<float>(random.uniform());
                         for (const std::size_t start : {std::size_t{0}, size["spare"]})
                             expect_backward(dout, dwte, dwpe,
                                             {ids, start, {p, start == 0, random.bits(), random.bits()}});
                     });
}

TEST_CASE("backward replays the mask of forward") {
    // Tokens of zeros at positions of ones: out shows the mask times the factor. With ones for dout, and no
    // token twice, dwte has to show the same.
    constexpr std::size_t V = 16, B = 2, T = 8, C = 9;
    const Call call{striding_ids(B, T, V), 2, training(0.3F, 77, 1234)};
    Cube<float> out(B, T, C), ones(B, T, C);
    ones.fill(1);
    expect_status(subject::forward(filled(V, C, 0), filled(10, C, 1), call.ids, call.start, call.dropout, out,
                                   call.stream),
                  Status{});
    Grid<float> dwte = filled(V, C, 0), dwpe = filled(10, C, 0);
    expect_status(subject::backward(ones, call.ids, call.start, call.dropout, dwte, dwpe, call.stream),
                  Status{});
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            expect_identical("row of dwte and row of out",
                             std::as_const(dwte).row(static_cast<std::size_t>(call.ids(b, t))),
                             std::as_const(out).row(b, t));
}

TEST_CASE("forward and backward are adjoint") {
    // <forward(w), g> = <w, backward(g)>, as both are linear in the tables. Their errors: forward rounds the
    // sum and the product, backward the product and at most 2 additions of a row; each on terms bounded by
    // `size`.
    Random random = harness::random();
    constexpr std::size_t V = 12, P = 7, B = 2, T = 6, C = 10;
    const auto wte = random_grid<float>(random, V, C), wpe = random_grid<float>(random, P, C);
    const auto g = random_cube<float>(random, B, T, C);
    const Call call{striding_ids(B, T, V), 1, training(0.25F, random.bits(), random.bits())};
    Cube<float> out(B, T, C);
    Grid<float> dwte = filled(V, C, 0), dwpe = filled(P, C, 0);
    expect_status(subject::forward(wte, wpe, call.ids, 1, call.dropout, out, call.stream), Status{});
    expect_status(subject::backward(g, call.ids, 1, call.dropout, dwte, dwpe, call.stream), Status{});
    double size = 0;
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            for (std::size_t c = 0; c < C; ++c) {
                const auto id = static_cast<std::size_t>(call.ids(b, t));
                size += 2 * std::abs(g(b, t, c)) * (std::abs(wte(id, c)) + std::abs(wpe(1 + t, c)));
            }
    expect_near("<w, backward(g)>", dot(wte.cells(), dwte.cells()) + dot(wpe.cells(), dwpe.cells()),
                dot(out.cells(), g.cells()), 8 * u * size);
}

TEST_CASE("evaluation drops nothing in either direction") {
    const Grid<float> wte(3, 2, {1, 2, 3, 4, 5, 6}), wpe(2, 2, {10, 20, 30, 40});
    const Grid<TokenId> ids(1, 2, {2, 1});
    for (const Dropout dropout : {Dropout{0.5F, false, 1, 2}, Dropout{1, false, 1, 2}, training(0, 1, 2)}) {
        Cube<float> out(1, 2, 2);
        expect_status(subject::forward(wte, wpe, ids, 0, dropout, out, Stream::standard), Status{});
        expect_identical("out", out, Cube<float>(1, 2, 2, {15, 26, 33, 44}));
        Grid<float> dwte = filled(3, 2, 0), dwpe = filled(2, 2, 0);
        expect_status(subject::backward(out, ids, 0, dropout, dwte, dwpe, Stream::standard), Status{});
        expect_identical("dwte", dwte, Grid<float>(3, 2, {0, 0, 33, 44, 15, 26}));
        expect_identical("dwpe", dwpe, Grid<float>(2, 2, {15, 26, 33, 44}));
    }
}

TEST_CASE("what is dropped is zero whatever it was") {
    const float infinity = std::numeric_limits<float>::infinity();
    // Survivors: 1 0 0 1
    const Grid<TokenId> ids(1, 2, {0, 1});
    Cube<float> out(1, 2, 2);
    expect_status(subject::forward(Grid<float>(2, 2, {1, infinity, -3, 4}), filled(2, 2, 0), ids, 0,
                                   training(0.5F, 0), out, Stream::standard),
                  Status{});
    expect_identical("out", out, Cube<float>(1, 2, 2, {2, 0, 0, 8}));
    Grid<float> dwte = filled(2, 2, 1), dwpe = filled(2, 2, 1);
    const Cube<float> dout(1, 2, 2, {1, infinity, not_a_number, 4});
    expect_status(subject::backward(dout, ids, 0, training(0.5F, 0), dwte, dwpe, Stream::standard), Status{});
    expect_identical("dwte", dwte, Grid<float>(2, 2, {3, 1, 1, 9}));
    expect_identical("dwpe", dwpe, Grid<float>(2, 2, {3, 1, 1, 9}));
}

TEST_CASE("sizes that do not fit are refused") {
    const auto wte = numbered(5, 3), wpe = numbered(4, 3), wide = numbered(4, 4);
    const Grid<TokenId> ids(2, 2, {0, 1, 2, 3});
    const Status mismatch{Code::shape_mismatch};
    struct Shape {
        std::size_t B, T, C;
    };
    for (const auto& [B, T, C] : {Shape{1, 2, 3}, Shape{2, 3, 3}, Shape{2, 2, 4}, Shape{2, 2, 2}}) {
        Cube<float> cube(B, T, C);
        expect_status(subject::forward(wte, wpe, ids, 9, training(2, 0), cube, Stream::standard), mismatch);
        expect_untouched("out", cube);
        Grid<float> dwte = wte, dwpe = wpe;
        expect_status(subject::backward(cube, ids, 9, training(2, 0), dwte, dwpe, Stream::standard),
                      mismatch);
        expect_identical("dwte", dwte, wte);
    }
    Cube<float> out(2, 2, 3);
    expect_status(subject::forward(wte, wide, ids, 0, evaluation, out, Stream::standard), mismatch);
    expect_untouched("out", out);
    Grid<float> dwte = wte, dwpe = wide;
    expect_status(subject::backward(out, ids, 0, evaluation, dwte, dwpe, Stream::standard), mismatch);
    expect_identical("dwpe", dwpe, wide);
    for (const auto& [B, V, C] : {Shape{1, 5, 3}, Shape{2, 4, 3}, Shape{2, 6, 3}, Shape{2, 5, 4}}) {
        Grid<float> logits(B, V);
        expect_status(subject::last_logits(Cube<float>(2, 0, C), wte, logits, Stream::standard), mismatch);
        expect_untouched("logits", logits);
    }
    Grid<float> logits(2, 5);
    expect_status(subject::last_logits(Cube<float>(2, 0, 3), wte, logits, Stream::standard),
                  Status{Code::invalid_argument});
    expect_untouched("logits", logits);
}

TEST_CASE("nothing to do launches nothing") {
    const auto wte = numbered(5, 3), wpe = numbered(4, 3);
    for (const auto& [B, T] : {std::pair{0, 2}, std::pair{2, 0}, std::pair{0, 0}}) {
        const Grid<TokenId> ids(static_cast<std::size_t>(B), static_cast<std::size_t>(T));
        expect_forward(wte, wpe, {ids});
        expect_backward(Cube<float>(ids.rows(), ids.cols(), 3), wte, wpe, {ids});
    }
    const Grid<TokenId> ids(1, 2, {4, 1});
    expect_forward(Grid<float>(5, 0), Grid<float>(4, 0), {ids});
    expect_backward(Cube<float>(1, 2, 0), Grid<float>(5, 0), Grid<float>(4, 0), {ids});
    expect_logits(Cube<float>(0, 2, 3), wte, 5, Stream::standard);
    expect_logits(Cube<float>(2, 1, 3, {1, 2, 3, 4, 5, 6}), Grid<float>(0, 3), 0, Stream::standard);
    std::vector<std::uint8_t> header(64);
    std::vector<float> parameters;
    expect_status(
        subject::save(Grid<float>(0, 3), Grid<float>(0, 3), evaluation, header, parameters, Stream::standard),
        Status{});
    Grid<float> none(3, 0);
    expect_status(subject::load(parameters, none, none, Stream::standard), Status{});
    std::vector<float> positions_only(4);
    expect_status(subject::save(Grid<float>(0, 2), numbered(2, 2), evaluation, header, positions_only,
                                Stream::standard),
                  Status{});
    expect_identical("parameters", positions_only, std::vector<float>{1, 2, 3, 4});
}

TEST_CASE("backward moves few bytes") {
    // dout and ids once; of both tables the rows that change, once read and once written.
    constexpr std::size_t T = 40, C = 256;
    minimum_traffic(T * sizeof(TokenId) + 5 * T * C * sizeof(float));
    Random random = harness::random();
    expect_backward(random_cube<float>(random, 1, T, C), numbered(64, C), numbered(T, C),
                    {striding_ids(1, T, 64), 0, training(0.1F, 8)});
}

TEST_CASE("many tokens meet in one row") {
    constexpr std::size_t B = 3, T = 300, C = 5;
    Grid<TokenId> same(B, T);
    std::ranges::fill(same.cells(), 4);
    Cube<float> ones(B, T, C);
    ones.fill(1);
    Grid<float> dwte = filled(6, C, 0), dwpe = filled(T, C, 0), want = filled(6, C, 0);
    std::ranges::fill(want.row(4), 900.0F);
    expect_status(subject::backward(ones, same, 0, evaluation, dwte, dwpe, Stream::standard), Status{});
    expect_identical("dwte", dwte, want);
    expect_identical("dwpe", dwpe, filled(T, C, 3));
}

TEST_CASE("backward in all sizes, apart and empty") {
    exact_backward().sizes();
    exact_backward().gaps();
    exact_backward().empty_axes();
}

TEST_CASE("backward with special values and after other calls") {
    adverse_backward().special_cases();
    adverse_backward().history();
    adverse_backward().after(adverse_forward());
}

TEST_CASE("backward beyond element 2^32" * large) {
    exact_backward().far("V");
}

TEST_CASE("backward, 16 sequences of GPT-2" * timed) {
    const std::size_t V = at_scale(50'257, 1'000), C = at_scale(768, 256);
    const std::size_t B = at_scale(16, 2), T = at_scale(1'024, 48);
    Random random = harness::random();
    const auto dout = random_cube<float>(random, B, T, C);
    const auto dwte = random_grid<float>(random, V, C), dwpe = random_grid<float>(random, T, C);
    time_calls("backward", [&] {
        const auto ids = random_id_grid(random, B, T, V);
        expect_backward(dout, dwte, dwpe, {ids, 0, training(0.1F, random.bits()), Stream::own});
        return B * T * (sizeof(TokenId) + C * sizeof(float)) +
               2 * (distinct(ids.cells()) + T) * C * sizeof(float);
    });
}

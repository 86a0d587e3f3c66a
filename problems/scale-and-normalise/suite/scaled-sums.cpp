#include "fixtures.h"

using namespace suite;

namespace {

/// Integers in [-9, 9]: with a C whose root is whole, every product and sum of them is exact in float.
template <class Tensor>
void fill_with_integers(Random& random, Tensor& tensor) {
    for (float& value : tensor.cells())
        value = static_cast<float>(random.integer(-9, 9));
}

/// Runs `embed_scaled` and holds it against the sum in double.
void expect_scaled_sum(const Grid<float>& wte, const Grid<float>& wpe, const Grid<TokenId>& ids) {
    const std::size_t B = ids.rows(), T = ids.cols(), C = wte.cols();
    const double scale = std::sqrt(static_cast<double>(C));
    Cube<float> out(B, T, C);
    Cube<double> want(B, T, C), bound(B, T, C);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            for (std::size_t c = 0; c < C; ++c) {
                const double token = scale * wte(static_cast<std::size_t>(ids(b, t)), c);
                want(b, t, c) = token + wpe(t, c);
                bound(b, t, c) = 2 * u * (2 * std::abs(token) + std::abs(want(b, t, c)));
            }
    expect_status(subject::embed_scaled(wte, wpe, ids, out), Status{});
    expect_within("out", out, want, bound);
}

/// What the contract allows, and one rounding because the expected value is rounded itself.
auto adverse_scaled() {
    const Dim rows_of_wpe([](const Extents& size) { return size["T"] + size["P - T"]; });
    return Adverse("embed_scaled", subject::embed_scaled, &reference::embed_scaled,
                   {{.name = "V", .ordinary = 6},
                    {.name = "C", .ordinary = 3},
                    {.name = "B", .ordinary = 2},
                    {.name = "T", .ordinary = 4},
                    {.name = "P - T", .ordinary = 2}},
                   matrix_in("wte", "V", "C", {normal(), {{"NaN and infinities", nan_and_infinity()}}}),
                   matrix_in("wpe", rows_of_wpe, "C",
                             {normal(), {{"NaN and infinities", nan_and_infinity()}}},
                             Checked::limit_and_cols),
                   id_matrix("ids", "B", "T", "V"), tensor_out("out", "B", "T", "C"))
        .bounds("out", [](const auto& wte, const auto& wpe, const Ids2D& ids, const auto& out) {
            std::vector<double> bounds(out.batch * out.time * out.channels);
            const double root = std::sqrt(static_cast<double>(wte.cols));
            std::size_t i = 0;
            for (std::size_t b = 0; b < out.batch; ++b)
                for (std::size_t t = 0; t < out.time; ++t)
                    for (std::size_t c = 0; c < out.channels; ++c, ++i) {
                        if (b >= ids.rows || t >= std::min(ids.cols, wpe.rows) ||
                            c >= std::min(wte.cols, wpe.cols))
                            continue; // refused
                        const auto id = static_cast<std::size_t>(ids(b, t));
                        if (ids(b, t) < 0 || id >= wte.rows) continue;
                        const double token = std::abs(root * wte(id, c));
                        bounds[i] = 2 * u * (2 * token + std::abs(root * wte(id, c) + wpe(t, c))) +
                                    u * std::abs(root * wte(id, c) + wpe(t, c));
                    }
            return bounds;
        });
}

auto adverse_scaled_backward() {
    const Dim rows_of_dwpe([](const Extents& size) { return size["T"] + size["P - T"]; });
    const Contents gradients{fractions(), {{"NaN payloads and infinities", nan_and_infinity()}}};
    return Adverse("embed_scaled_backward", subject::embed_scaled_backward, &reference::embed_scaled_backward,
                   {{.name = "C", .ordinary = 3},
                    {.name = "B", .ordinary = 2},
                    {.name = "T", .ordinary = 4},
                    {.name = "P - T", .ordinary = 2}},
                   tensor_in("dout", "B", "T", "C", gradients), tensor_out("dtokens", "B", "T", "C"),
                   matrix_sum("dwpe", rows_of_dwpe, "C", gradients, Checked::limit_and_cols))
        .rule("dtokens", {.kind = Rule::Kind::close, .tolerance = {.rel = 5 * u}})
        .rule("dwpe", {.kind = Rule::Kind::values}) // sums of fractions are exact
        .exact("dwpe", [](const auto& dout, const auto&, const auto& dwpe) {
            return [B = dout.batch, T = dout.time, C = dwpe.cols](std::size_t i) {
                return B == 0 || i / C >= T;
            };
        });
}

} // namespace

TEST_CASE("the token part is scaled and the position part is not") {
    // Nothing is rounded here, not even below the normal numbers.
    for (const float unit : {1.0F, 0x1p-140F}) {
        INFO("in units of ", unit);
        Grid<float> wte = tokens(), wpe = positions();
        Cube<float> out(2, 2, 4), want(2, 2, 4,
                                       {5.0F, 6.5F, 8.0F, 9.5F,     //
                                        11.0F, 12.5F, 14.0F, 15.5F, //

                                        3.0F, 4.5F, 6.0F, 7.5F, //
                                        15.0F, 16.5F, 18.0F, 19.5F});
        for (const std::span<float> cells : {wte.cells(), wpe.cells(), want.cells()})
            for (float& cell : cells)
                cell *= unit;
        expect_status(subject::embed_scaled(wte, wpe, Grid<TokenId>(2, 2, {2, 0, 1, 2}), out), Status{});
        expect_identical("out", out, want);
    }
}

TEST_CASE("a zero token leaves the position bit for bit") {
    Random random = harness::random();
    for (const std::size_t C : {3, 4, 768}) {
        Grid<float> wte(1, C);
        wte.fill(0.0F);
        const auto wpe = random_grid<float>(random, 3, C);
        Cube<float> out(1, 3, C), want(1, 3, C);
        std::ranges::copy(wpe.cells(), want.cells().begin());
        expect_status(subject::embed_scaled(wte, wpe, Grid<TokenId>(1, 3, {0, 0, 0}), out), Status{});
        expect_identical("out", out, want);
    }
}

TEST_CASE("a zero position leaves the token times the root of the width") {
    Random random = harness::random();
    for (const std::size_t C : {2, 3, 7, 64, 768, 1600}) {
        Grid<float> wpe(2, C);
        wpe.fill(0.0F);
        expect_scaled_sum(random_grid<float>(random, 5, C), wpe, Grid<TokenId>(2, 2, {4, 1, 0, 3}));
    }
}

TEST_CASE("sums of random shapes agree with the definition") {
    for_random_sizes(20, {{"V", 1, 30}, {"C", 2, 33}, {"B", 1, 4}, {"T", 1, 7}, {"E", 0, 3}, {"S", 0, 3}},
                     [](const Sizes& size, Random& random) {
                         const std::size_t C = size["C"], stride = C + size["S"];
                         expect_scaled_sum(random_grid<float>(random, size["V"], C, stride),
                                           random_grid<float>(random, size["T"] + size["E"], C, stride + 1),
                                           random_id_grid(random, size["B"], size["T"], size["V"]));
                     });
}

TEST_CASE("an embedding that does not fit is refused and nothing is written") {
    const auto expect_refused = [](const Grid<float>& wpe, const Grid<TokenId>& ids, std::size_t B,
                                   std::size_t T, std::size_t C, Status status) {
        Cube<float> out(B, T, C);
        expect_status(subject::embed_scaled(tokens(), wpe, ids, out), status);
        expect_untouched("out", out);
    };
    const Grid<TokenId> good(2, 2, {2, 0, 1, 2}), long_one(1, 3, {0, 1, 7});
    const Status mismatch{Code::shape_mismatch};
    expect_refused(positions(), good, 1, 2, 4, mismatch);
    expect_refused(positions(), good, 2, 1, 4, mismatch);
    expect_refused(positions(), good, 2, 2, 5, mismatch);
    expect_refused(Grid<float>(2, 3), good, 2, 2, 4, mismatch);
    expect_refused(positions(), long_one, 1, 3, 4, Status{Code::position_out_of_range, 2, 2, 2});
    expect_refused(positions(), Grid<TokenId>(2, 2, {2, 0, 3, -1}), 2, 2, 4,
                   Status{Code::id_out_of_range, 2, 3, 3});
    expect_refused(positions(), Grid<TokenId>(2, 2, {0, 1, 2, -1}), 2, 2, 4,
                   Status{Code::id_out_of_range, 3, -1, 3});
    expect_refused(positions(), Grid<TokenId>(2, 2, {0, 1, -1, 2}), 2, 2, 4,
                   Status{Code::id_out_of_range, 2, -1, 3});
    expect_refused(positions(), Grid<TokenId>(2, 2, {3, 0, 1, 2}), 2, 2, 4,
                   Status{Code::id_out_of_range, 0, 3, 3});
}

TEST_CASE("the gradient carries the same factor") {
    const Cube<float> dout(2, 2, 4,
                           {1.0F, 2.0F, 3.0F, 4.0F, //
                            0.0F, 0.5F, 0.0F, 0.0F, //

                            10.0F, 0.0F, 0.0F, -1.0F, //
                            0.0F, 0.25F, 0.0F, 6.0F});
    Cube<float> dtokens(2, 2, 4), doubled(2, 2, 4);
    Grid<float> dwpe(3, 4);
    dwpe.fill(100.0F);
    for (std::size_t i = 0; i < dout.cells().size(); ++i)
        doubled.cells()[i] = 2 * dout.cells()[i];
    expect_status(subject::embed_scaled_backward(dout, dtokens, dwpe), Status{});
    expect_identical("dtokens", dtokens, doubled);
    expect_identical("dwpe", dwpe,
                     Grid<float>(3, 4,
                                 {111.0F, 102.0F, 103.0F, 103.0F,  //
                                  100.0F, 100.75F, 100.0F, 106.0F, //
                                  100.0F, 100.0F, 100.0F, 100.0F}));
    // Where the root is a whole number, its products with few bits are exact, on the way back as well.
    for (std::size_t root = 1; root <= 40; ++root) {
        const std::size_t C = root * root;
        INFO("C = ", C);
        Cube<float> small(1, 1, C), product(1, 1, C), back(1, 1, C), there(1, 1, C);
        Grid<float> table(1, C), none(1, C);
        none.fill(0);
        for (std::size_t c = 0; c < C; ++c) {
            table(0, c) = small(0, 0, c) = static_cast<float>(c % 64 + 1) * (c % 2 == 0 ? 0.25F : -2.0F);
            product(0, 0, c) = static_cast<float>(root) * small(0, 0, c);
        }
        Grid<float> sums(1, C);
        sums.fill(0);
        expect_status(subject::embed_scaled_backward(small, back, sums), Status{});
        expect_identical("dtokens of few bits", back, product);
        expect_status(subject::embed_scaled(table, none, Grid<TokenId>(1, 1, {0}), there), Status{});
        expect_identical("out of few bits", there, product);
    }
}

TEST_CASE("forward and backward are adjoint") {
    // out = J (wte, wpe) is linear, so <J (a, p), g> = <a, J^T g> + <p, J^T g> for every a, p and g. Integers
    // make each float operation exact, and the two sides equal.
    Random random = harness::random();
    for (const std::size_t C : {4, 9, 16, 64}) {
        const std::size_t B = 3, T = 4, P = 6;
        Grid<float> a(B * T, C), p(P, C), dwpe(P, C);
        Cube<float> g(B, T, C), out(B, T, C), dtokens(B, T, C);
        fill_with_integers(random, a), fill_with_integers(random, p), fill_with_integers(random, g);
        dwpe.fill(0.0F);
        Grid<TokenId> ids(B, T); // one row of the table for each place
        for (std::size_t i = 0; i < B * T; ++i)
            ids.cells()[i] = static_cast<TokenId>(B * T - 1 - i);

        expect_status(subject::embed_scaled(a, p, ids, out), Status{});
        expect_status(subject::embed_scaled_backward(g, dtokens, dwpe), Status{});
        double left = 0, right = 0;
        for (std::size_t i = 0; i < out.cells().size(); ++i) {
            left += static_cast<double>(out.cells()[i]) * g.cells()[i];
            right += static_cast<double>(dtokens.cells()[i]) *
                     a(static_cast<std::size_t>(ids.cells()[i / C]), i % C);
        }
        for (std::size_t i = 0; i < p.cells().size(); ++i)
            right += static_cast<double>(dwpe.cells()[i]) * p.cells()[i];
        expect_near("<J (a, p), g> - <(a, p), J^T g>", left - right, 0, 0);
    }
}

TEST_CASE("position gradients are summed over the batch and added") {
    for_random_sizes(16, {{"B", 1, 5}, {"T", 1, 6}, {"C", 2, 20}, {"E", 0, 3}, {"S", 0, 3}},
                     [](const Sizes& size, Random& random) {
                         const std::size_t B = size["B"], T = size["T"], C = size["C"], P = T + size["E"];
                         const auto dout = spread_cube(random, B, T, C);
                         auto dwpe = random_grid<float>(random, P, C, C + size["S"]);
                         const double scale = std::sqrt(static_cast<double>(C));
                         Cube<float> dtokens(B, T, C);
                         Cube<double> want_tokens(B, T, C), token_bound(B, T, C);
                         Grid<double> want(P, C), bound(P, C);
                         for (std::size_t t = 0; t < P; ++t)
                             for (std::size_t c = 0; c < C; ++c) {
                                 want(t, c) = dwpe(t, c);
                                 double size_of_terms = std::abs(dwpe(t, c));
                                 for (std::size_t b = 0; b < B && t < T; ++b) {
                                     want(t, c) += dout(b, t, c);
                                     size_of_terms += std::abs(dout(b, t, c));
                                     want_tokens(b, t, c) = scale * dout(b, t, c);
                                     token_bound(b, t, c) = 2 * u * 2 * std::abs(want_tokens(b, t, c));
                                 }
                                 bound(t, c) = t < T ? 2 * static_cast<double>(B) * u * size_of_terms : 0;
                             }
                         expect_status(subject::embed_scaled_backward(dout, dtokens, dwpe), Status{});
                         expect_within("dtokens", dtokens, want_tokens, token_bound);
                         expect_within("dwpe", dwpe, want, bound);
                     });
}

TEST_CASE("scaled sums of every size, with gaps between rows") {
    adverse_scaled()
        .also({{{"V", 131'073}, {"C", 2}, {"B", 1}, {"T", 9}},
               {{"V", 6}, {"C", 907}, {"B", 3}, {"T", 389}},
               {{"V", 97}, {"C", 3}, {"B", 2'003}, {"T", 2}}}) // sequences that hash alike
        .sizes();
    adverse_scaled().gaps();
}

TEST_CASE("scaled sums with empty axes, every refusal and after other calls") {
    adverse_scaled().empty_axes();
    adverse_scaled().special_cases();
    adverse_scaled().history();
    adverse_scaled().after(adverse_scaled_backward());
}

TEST_CASE("gradients of scaled sums of every size, with gaps between rows") {
    adverse_scaled_backward().also({{{"C", 907}, {"B", 3}, {"T", 389}}}).sizes();
    adverse_scaled_backward().gaps();
}

TEST_CASE("gradients of scaled sums with empty axes, every refusal and after other calls") {
    adverse_scaled_backward().empty_axes();
    adverse_scaled_backward().special_cases();
    adverse_scaled_backward().also({{{"C", 257}, {"B", 17}, {"T", 61}}}).history();
    adverse_scaled_backward().after(adverse_scaled());
}

TEST_CASE("scaled sums beyond element 2^32" * large) {
    adverse_scaled().far("V", Visits::few_rows);
}

TEST_CASE("gradients of scaled sums beyond element 2^32" * large) {
    adverse_scaled_backward().far();
}

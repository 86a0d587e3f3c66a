#include "fixtures.h"

using namespace suite;

namespace {

/// The inverse of z ^= z >> shift.
std::uint64_t undo_shift(std::uint64_t z, int shift) {
    std::uint64_t result = z;
    for (int known = shift; known < 64; known += shift)
        result = z ^ (result >> shift);
    return result;
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration (each step doubles the right bits).
std::uint64_t inverse(std::uint64_t odd) {
    std::uint64_t x = odd;
    for (int step = 0; step < 6; ++step)
        x *= 2 - odd * x;
    return x;
}

/// The seed whose random bits at index 0 are `bits`: the generator is a bijection.
std::uint64_t seed_that_gives(std::uint64_t bits) {
    std::uint64_t z = undo_shift(bits, 31) * inverse(0x94D049BB133111EBu);
    z = undo_shift(z, 27) * inverse(0xBF58476D1CE4E5B9u);
    return undo_shift(z, 30) - 0x9E3779B97F4A7C15u;
}

} // namespace

TEST_CASE("the parameters of the gpt-2 family add up") {
    const ParameterReport small = subject::parameters({});
    expect_equal("token table", small.token_table, 38'597'376U);
    expect_equal("position table", small.position_table, 786'432U);
    expect_equal("one block", small.block, 7'087'872U);
    expect_equal("final norm", small.final_norm, 1'536U);
    expect_equal("total", small.total, 124'439'808U);
    expect_equal("total of medium", subject::parameters({50'257, 1'024, 1'024, 24}).total, 354'823'168U);
    expect_equal("total of large", subject::parameters({50'257, 1'024, 1'280, 36}).total, 774'030'080U);
    expect_equal("total of xl", subject::parameters({50'257, 1'024, 1'600, 48}).total, 1'557'611'200U);
    expect_equal("total of 96 layers of 12,288 channels",
                 subject::parameters({50'257, 2'048, 12'288, 96}).total, 174'604'259'328U);
    // Above 2^53 a double has even numbers alone.
    const ParameterReport vast = subject::parameters({4'294'967'291, 1'000'003, 2'147'483, 3});
    expect_equal("vast token table", vast.token_table, 9'223'369'242'978'553U);
    expect_equal("total of vast sizes", vast.total, 9'391'537'416'938'209U);
    expect_equal("total without a block", subject::parameters({2, 3, 5, 0}).total, 35U);
    expect_equal("a block of which there is none", subject::parameters({2, 3, 5, 0}).block, 365U);
}

TEST_CASE("two sequences go forward") {
    const Grid<float> wte(3, 2, {1, 2, 3, 4, 5, 6}), wpe(3, 2, {10, 20, 30, 40, 50, 60});
    Cube<float> out(2, 2, 2);
    expect_status(
        subject::forward(wte, wpe, Grid<TokenId>(2, 2, {0, 1, 2, 0}), 1, evaluation, out, Stream::standard),
        Status{});
    expect_identical("out", out, Cube<float>(2, 2, 2, {31, 42, 53, 64, 35, 46, 51, 62}));
    // Survivors for seed 0 and p = 0.5: 1 0 0 1 0 0 0 1
    Cube<float> dropped(2, 2, 2);
    expect_status(subject::forward(wte, wpe, Grid<TokenId>(2, 2, {0, 1, 2, 0}), 0, training(0.5F, 0), dropped,
                                   Stream::standard),
                  Status{});
    expect_identical("out in training", dropped, Cube<float>(2, 2, 2, {22, 0, 0, 88, 0, 0, 0, 84}));
}

TEST_CASE("random shapes go forward") {
    for_random_sizes(
        12, {{"V", 1, 30}, {"spare", 0, 3}, {"C", 1, 40}, {"B", 1, 4}, {"T", 1, 8}, {"pad", 0, 3}},
        [](const Sizes& size, Random& random) {
            const std::size_t C = size["C"], P = size["T"] + size["spare"];
            const auto wte = random_grid<float>(random, size["V"], C, C + size["pad"]);
            const auto wpe = random_grid<float>(random, P, C, C + size["pad"] / 2);
            const auto ids = random_id_grid(random, size["B"], size["T"], size["V"]);
            const auto p = static_cast<float>(random.uniform());
            for (const std::size_t start : {std::size_t{0}, size["spare"]})
                expect_forward(wte, wpe, {ids, start, {p, start == 0, random.bits(), random.bits()}});
        });
}

TEST_CASE("an id outside the vocabulary is seen and has no gradient") {
    const Grid<float> wte(3, 1, {1, 2, 3}), wpe(4, 1, {10, 20, 30, 40});
    const Grid<TokenId> ids(1, 4, {2, 3, -1, 0});
    Cube<float> out(1, 4, 1);
    expect_status(subject::forward(wte, wpe, ids, 0, evaluation, out, Stream::standard), Status{});
    expect_close("out", out, Cube<float>(1, 4, 1, {13, not_a_number, not_a_number, 41}), Tolerance{});
    Grid<float> dwte = filled(3, 1, 0), dwpe = filled(4, 1, 0);
    expect_status(subject::backward(Cube<float>(1, 4, 1, {1, 2, 4, 8}), ids, 0, evaluation, dwte, dwpe,
                                    Stream::standard),
                  Status{});
    expect_identical("dwte", dwte, Grid<float>(3, 1, {8, 0, 1}));
    expect_identical("dwpe", dwpe, Grid<float>(4, 1, {1, 2, 4, 8}));
}

TEST_CASE("positions and probabilities outside their range are refused") {
    const auto wte = numbered(5, 3), wpe = numbered(4, 3);
    const Grid<TokenId> ids(2, 2, {0, 1, 2, 3});
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
    const auto expect_refused = [&](std::size_t start, Dropout dropout, const Status& status) {
        Cube<float> out(2, 2, 3);
        expect_status(subject::forward(wte, wpe, ids, start, dropout, out, Stream::standard), status);
        expect_untouched("out", out);
        Grid<float> dwte = wte, dwpe = wpe;
        Cube<float> ones(2, 2, 3);
        ones.fill(1);
        expect_status(subject::backward(ones, ids, start, dropout, dwte, dwpe, Stream::standard), status);
        expect_identical("dwte", dwte, wte);
        expect_identical("dwpe", dwpe, wpe);
    };
    expect_refused(3, training(2, 0), Status::position_out_of_range(1, 4, 4));
    expect_refused(5, evaluation, Status::position_out_of_range(0, 5, 4));
    expect_refused(most, evaluation, Status::position_out_of_range(0, -1, 4));
    for (const float p : {-0.5F, 1.5F, -1e-30F, 1.0000001F, not_a_number, -not_a_number}) {
        expect_refused(2, {p, true, 1, 2}, Status{Code::invalid_argument});
        expect_refused(2, {p, false, 1, 2}, Status{Code::invalid_argument});
    }
    const Grid<TokenId> none(2, 0);
    expect_forward(wte, wpe, {none, 4});
    Cube<float> empty(2, 0, 3);
    expect_status(subject::forward(wte, wpe, none, 5, evaluation, empty, Stream::standard),
                  Status::position_out_of_range(0, 5, 4));
}

TEST_CASE("all work goes to the caller's stream") {
    const auto wte = numbered(20, 17), wpe = numbered(15, 17, 400);
    const Call call{striding_ids(2, 15, 20), 0, training(0.1F, 4), Stream::own};
    Random random = harness::random();
    expect_forward(wte, wpe, call);
    expect_backward(random_cube<float>(random, 2, 15, 17), wte, wpe, call);
    expect_logits(random_cube<float>(random, 2, 3, 17), wte, 20, Stream::own);
}

TEST_CASE("forward moves each byte once") {
    constexpr std::size_t T = 40, C = 256;
    minimum_traffic(T * sizeof(TokenId) + 3 * T * C * sizeof(float));
    expect_forward(numbered(64, C), numbered(T, C), {striding_ids(1, T, 64), 0, training(0.1F, 8)});
}

TEST_CASE("gpt-2 small at its real size") {
    // Rows lie 6,144 floats apart, so a table reaches over more than a gibibyte, of which only the rows in
    // use exist: first and last token, last positions, all 768 channels. Gradients lie beside the weights,
    // half a row on.
    constexpr std::size_t V = 50'257, P = 1'024, C = 768, stride = 6'144, T = 4;
    const ModelSizes sizes;
    expect_equal("C", sizes.channels, C);
    SparseGrid<float> room(V, stride);
    const Grid<TokenId> ids(1, T, {50'256, 0, 39'999, 50'256});
    for (const TokenId id : ids.cells())
        for (std::size_t c = 0; c < C; ++c)
            room.row(static_cast<std::size_t>(id))[c] =
                static_cast<float>(id) + static_cast<float>(c) / 1'024;
    const auto wpe = numbered(P, C);
    const Matrix<const float> wte(room.row(0).data(), V, C, stride);
    const Dropout dropout = training(0.1F, 42, 1'000'000'000'000);
    Cube<float> out(1, T, C), want(1, T, C);
    expect_status(subject::forward(wte, wpe, ids, P - T, dropout, out, Stream::standard),
                  reference::forward(wte, wpe, ids, P - T, dropout, want, Stream::standard));
    expect_identical("out", out, want);

    const Matrix<float> dwte(room.row(0).data() + stride / 2, V, C, stride); // still zero
    Grid<float> dwpe = filled(P, C, 0), few_positions = filled(T, C, 0), few_tokens = filled(3, C, 0);
    expect_status(subject::backward(want, ids, P - T, dropout, dwte, dwpe, Stream::standard), Status{});
    // The same with a vocabulary of the three that occur and with the last four positions.
    const Grid<TokenId> renamed(1, T, {2, 0, 1, 2});
    reference::backward(want, renamed, 0, dropout, few_tokens, few_positions, Stream::standard);
    const std::size_t names[3] = {0, 39'999, 50'256};
    for (std::size_t i = 0; i < 3; ++i) // at most two additions to zero: one rounding, to the nearest
        expect_identical("row of dwte", std::span<const float>(dwte.row(names[i]), C),
                         std::as_const(few_tokens).row(i));
    for (std::size_t t = 0; t < T; ++t)
        expect_identical("row of dwpe", std::as_const(dwpe).row(P - T + t),
                         std::as_const(few_positions).row(t));

    // A vocabulary that ends one row before the memory does: the last id has no row.
    const Matrix<const float> fewer(wte.data, V - 1, C, stride);
    expect_status(subject::forward(fewer, wpe, ids, 0, evaluation, out, Stream::standard),
                  reference::forward(fewer, wpe, ids, 0, evaluation, want, Stream::standard));
    expect_close("out where the last id is none", out, want, Tolerance{});
    const std::vector<float> before(dwte.row(V - 1), dwte.row(V - 1) + C);
    const Matrix<float> fewer_gradients(dwte.data, V - 1, C, stride);
    Cube<float> ones(1, T, C);
    ones.fill(1);
    expect_status(subject::backward(ones, ids, 0, evaluation, fewer_gradients, dwpe, Stream::standard),
                  Status{});
    expect_identical("the row behind the gradients", std::span<const float>(dwte.row(V - 1), C), before);
}

TEST_CASE("the mask is exact at its edges") {
    // Element 0 survives if (n + 0.5) * 2^-52 >= p, for the n that the seed was made for.
    const auto expect_survival = [](std::uint64_t n, float p, bool survives) {
        for (const std::uint64_t low : {0x000, 0xfff, 0x5a5}) {
            Cube<float> out(1, 1, 1);
            expect_status(
                subject::forward(Grid<float>(1, 1, {1}), Grid<float>(1, 1, {1}), Grid<TokenId>(1, 1, {0}), 0,
                                 training(p, seed_that_gives(n << 12 | low)), out, Stream::standard),
                Status{});
            expect_equal("element 0 survives", out(0, 0, 0) != 0, survives);
        }
    };
    constexpr std::uint64_t half = std::uint64_t{1} << 51;
    expect_survival(half - 1, 0.5F, false);
    expect_survival(half, 0.5F, true);
    expect_survival(half / 2 - 1, 0.25F, false);
    expect_survival(half / 2, 0.25F, true);
    expect_survival(0, 0x1p-53F, true);
    expect_survival(0, 0x1p-52F, false);
    expect_survival(1, 0x1p-52F, true);
    // Below 2^-29, p has bits beyond the 52 of n.
    expect_survival(0, 0x1.8p-53F, false);
    expect_survival(5, 0x1.5p-50F, true);
    expect_survival(5, 0x1.7p-50F, false);
}

TEST_CASE("forward in all sizes, apart and empty") {
    adverse_forward().sizes();
    adverse_forward().gaps();
    adverse_forward().empty_axes();
}

TEST_CASE("forward with special values and after other calls") {
    adverse_forward().special_cases();
    adverse_forward().history();
}

TEST_CASE("forward beyond element 2^32" * large) {
    adverse_forward().far("V", Visits::few_rows);
}

TEST_CASE("forward, 64 sequences of GPT-2" * timed) {
    const std::size_t V = at_scale(50'257, 1'000), C = at_scale(768, 256);
    const std::size_t B = at_scale(64, 2), T = at_scale(1'024, 48);
    Random random = harness::random();
    const auto wte = random_grid<float>(random, V, C), wpe = random_grid<float>(random, T, C);
    time_calls("forward", [&] {
        const auto ids = random_id_grid(random, B, T, V);
        expect_forward(wte, wpe, {ids, 0, training(0.1F, random.bits()), Stream::own});
        return B * T * (sizeof(TokenId) + C * sizeof(float)) +
               (distinct(ids.cells()) + T) * C * sizeof(float);
    });
}

#include "fixtures.h"

using namespace suite;

namespace {

/// The mean loss of a model whose hidden states are the rows of its input table, in double.
double tied_loss(const Grid<double>& wte, std::size_t V, const std::vector<TokenId>& ids,
                 const std::vector<TokenId>& targets) {
    double sum = 0;
    for (std::size_t n = 0; n < ids.size(); ++n) {
        const auto hidden = wte.row(static_cast<std::size_t>(ids[n]));
        std::vector<double> logits(V, 0);
        for (std::size_t v = 0; v < V; ++v)
            for (std::size_t c = 0; c < wte.cols(); ++c)
                logits[v] += hidden[c] * wte(v, c);
        double exponentials = 0;
        for (const double x : logits)
            exponentials += std::exp(x - logits[static_cast<std::size_t>(targets[n])]);
        sum += std::log(exponentials);
    }
    return sum / static_cast<double>(ids.size());
}

} // namespace

TEST_CASE("every token is scored by its own row") {
    Grid<float> logits(2, 4);
    expect_status(subject::tied_logits(Grid<float>(2, 2, {2, 1, -1, 3}), small_table(), 3, logits), Status{});
    expect_identical("logits", logits, Grid<float>(2, 4, {2, 1, 3, -infinity, -1, 3, 2, -infinity}));

    // Products and sums below the normal numbers are exact here, too.
    Grid<float> faint(2, 2, {0x2p-100F, 0x1p-100F, -0x1p-100F, 0x3p-100F}), table = small_table();
    for (float& each : table.cells())
        each *= 0x1p-40F;
    expect_status(subject::tied_logits(faint, table, 3, logits), Status{});
    expect_identical(
        "logits of tiny numbers", logits,
        Grid<float>(
            2, 4, {0x2p-140F, 0x1p-140F, 0x3p-140F, -infinity, -0x1p-140F, 0x3p-140F, 0x2p-140F, -infinity}));
    expect_status(subject::tied_logits(Grid<float>(2, 2, {2, 1, -1, 3}), small_table(), 3, logits), Status{});

    Grid<float> apart(2, 2, 5),
        again(2, 4); // the same hidden states, in a matrix that is part of a wider one
    std::ranges::copy(std::vector<float>{2, 1}, apart.row(0).begin());
    std::ranges::copy(std::vector<float>{-1, 3}, apart.row(1).begin());
    subject::tied_logits(apart, small_table(), 3, again);
    expect_identical("logits of rows that lie apart", again, logits);

    // More channels than tokens, and the other way round: a transposed reading fits neither.
    Grid<float> wide(1, 2), tall(1, 3);
    subject::tied_logits(Grid<float>(1, 3, {1, 10, 100}), Grid<float>(2, 3, {1, 2, 3, 4, 5, 6}), 2, wide);
    expect_identical("logits of two tokens with three channels", wide, Grid<float>(1, 2, {321, 654}));
    subject::tied_logits(Grid<float>(1, 2, {1, 10}), Grid<float>(3, 2, {1, 2, 3, 4, 5, 6}), 3, tall);
    expect_identical("logits of three tokens with two channels", tall, Grid<float>(1, 3, {21, 43, 65}));
}

TEST_CASE("the head follows the table from step to step") {
    Grid<float> wte = small_table();
    const Grid<float> hidden(1, 2, {2, 1});
    Grid<float> first(1, 4), second(1, 4);
    expect_status(subject::tied_logits(hidden, wte, 3, first), Status{});
    expect_identical("logits before the step", first, Grid<float>(1, 4, {2, 1, 3, -infinity}));
    wte(1, 0) += 4; // a step of the optimiser, in place
    expect_status(subject::tied_logits(hidden, wte, 3, second), Status{});
    expect_identical("logits after the step", second, Grid<float>(1, 4, {2, 9, 3, -infinity}));
}

TEST_CASE("the model gets its gradient through the same rows") {
    // dlogits (1, -2, 0.5) times rows (1, 0), (0, 1), (1, 1); the padding row counts for nothing, whatever it
    // holds.
    Grid<float> dhidden(2, 2);
    expect_status(subject::hidden_gradient(Grid<float>(2, 4, {1, -2, 0.5, not_a_number, 0, 4, 0.25, 7}),
                                           small_table(), 3, dhidden),
                  Status{});
    expect_identical("dhidden", dhidden, Grid<float>(2, 2, {1.5, -1.5, 0.25, 4.25}));
}

TEST_CASE("the table collects from both its ends") {
    // Head: dlogits^T hidden. Position 0 gives 1, -2, 0.5 times (2, 1), position 1 gives 0, 4, 0 times (-1,
    // 3). Lookup: token 2 was read twice and collects (10, 20) and (100, 200).
    Grid<float> dwte = filled(4, 2, 0);
    const std::vector<TokenId> ids{2, 2};
    expect_status(subject::table_gradient(ids, Grid<float>(2, 2, {10, 20, 100, 200}),
                                          Grid<float>(2, 2, {2, 1, -1, 3}),
                                          Grid<float>(2, 4, {1, -2, 0.5, 0, 0, 4, 0, 0}), 3, dwte),
                  Status{});
    expect_identical("dwte", dwte, Grid<float>(4, 2, {2, 1, -8, 10, 111, 220.5, 0, 0}));
}

TEST_CASE("gradients are added to what is there") {
    Random random = constructed();
    const std::vector<TokenId> ids{1, 0, 1};
    const auto dinput = random_fractions(random, 3, 4), hidden = random_fractions(random, 3, 4);
    const auto dlogits = random_fractions(random, 3, 5);
    Grid<float> once = filled(5, 4, 0), twice = filled(5, 4, 0);
    expect_status(subject::table_gradient(ids, dinput, hidden, dlogits, 5, once), Status{});
    for (int call = 0; call < 2; ++call)
        subject::table_gradient(ids, dinput, hidden, dlogits, 5, twice);
    for (float& value : once.cells())
        value *= 2;
    expect_identical("dwte after two equal calls, against twice the first", twice, once);

    const auto dout = random_fractions(random, 3, 4), a = random_fractions(random, 2, 3);
    const auto b = random_fractions(random, 3, 4);
    Grid<float> da = filled(2, 3, 0), db = filled(3, 4, 0), da2 = filled(2, 3, 0), db2 = filled(3, 4, 0);
    expect_status(subject::factor_gradient(dout, a, b, ids, da, db), Status{});
    for (int call = 0; call < 2; ++call)
        subject::factor_gradient(dout, a, b, ids, da2, db2);
    for (Grid<float>* each : {&da, &db})
        for (float& value : each->cells())
            value *= 2;
    expect_identical("da after two equal calls, against twice the first", da2, da);
    expect_identical("db after two equal calls, against twice the first", db2, db);
}

TEST_CASE("padding rows never win and never learn") {
    // 50 tokens in a table of 64 rows; the padding rows are far closer to every hidden state than any token.
    Random random = constructed();
    constexpr std::size_t N = 5, V = 50, W = 64, C = 8;
    auto wte = random_grid<float>(random, W, C);
    const auto hidden = random_grid<float>(random, N, C);
    for (std::size_t v = V; v < W; ++v)
        for (std::size_t c = 0; c < C; ++c)
            wte(v, c) = 100 * hidden(v % N, c);
    Grid<float> logits(N, W), dlogits(N, W), dwte = filled(W, C, 0);
    expect_status(subject::tied_logits(hidden, wte, V, logits), Status{});
    for (std::size_t n = 0; n < N; ++n)
        expect_true("the largest logit is a token's",
                    std::ranges::max_element(logits.row(n)) - logits.row(n).begin() < std::ptrdiff_t{V});

    const std::vector<TokenId> targets = random_ids(random, N, V);
    const Loss loss = subject::cross_entropy(logits, targets, nothing_ignored, dlogits);
    double mean = 0, bound = 0;
    for (std::size_t n = 0; n < N; ++n) {
        const auto tokens = std::span<const float>(logits.row(n)).first(V);
        mean -= std::log(probability(tokens, static_cast<std::size_t>(targets[n]))) / N;
        bound += RowBounds(tokens).loss(targets[n]) / N + 2 * u; // ln 64 instead of ln 50
    }
    expect_near("the mean, of 50 tokens", loss.mean, mean, bound);
    for (std::size_t n = 0; n < N; ++n)
        for (std::size_t v = V; v < W; ++v)
            expect_equal("the gradient of a padding row's logit", dlogits(n, v), 0.0F);

    for (std::size_t v = V; v < W; ++v)
        dwte(v, 0) = std::bit_cast<float>(0x7fc12345U), dwte(v, 1) = -0.0F;
    const Grid<float> before = dwte;
    expect_status(subject::table_gradient(targets, hidden, hidden, dlogits, V, dwte), Status{});
    for (std::size_t v = V; v < W; ++v)
        expect_identical("dwte of a padding row", dwte.row(v), before.row(v));
}

TEST_CASE("random heads stay within their rounding") {
    for_random_sizes(
        8, {{"N", 1, 7}, {"V", 1, 40}, {"extra", 0, 5}, {"C", 1, 50}}, [](const Sizes& size, Random& random) {
            const std::size_t N = size["N"], V = size["V"], W = V + size["extra"], C = size["C"];
            const auto wte = random_grid<float>(random, W, C), hidden = spread_grid(random, N, C);
            const auto dlogits = spread_grid(random, N, W), dinput = random_grid<float>(random, N, C);
            const auto ids = random_ids(random, N, V);
            const auto before = random_grid<float>(random, W, C);
            Sums want_logits(N, W), want_hidden(N, C), want_table(W, C);
            Grid<double> roundings(W, C);
            roundings.fill(static_cast<double>(N + 3));
            want_table.add(before);
            for (std::size_t n = 0; n < N; ++n)
                for (std::size_t c = 0; c < C; ++c) {
                    const auto id = static_cast<std::size_t>(ids[n]);
                    want_table.add(id, c, dinput(n, c));
                    ++roundings(id, c);
                    for (std::size_t v = 0; v < V; ++v) {
                        want_logits.add(n, v, product(hidden(n, c), wte(v, c)));
                        want_hidden.add(n, c, product(dlogits(n, v), wte(v, c)));
                        want_table.add(v, c, product(dlogits(n, v), hidden(n, c)));
                    }
                }
            for (std::size_t n = 0; n < N; ++n)
                for (std::size_t v = V; v < W; ++v)
                    want_logits.want(n, v) = -static_cast<double>(infinity);
            Grid<float> logits(N, W), dhidden(N, C), dwte = before;
            expect_status(subject::tied_logits(hidden, wte, V, logits), Status{});
            want_logits.expect("logits", logits, C + 1);
            expect_status(subject::hidden_gradient(dlogits, wte, V, dhidden), Status{});
            want_hidden.expect("dhidden", dhidden, V + 1);
            expect_status(subject::table_gradient(ids, dinput, hidden, dlogits, V, dwte), Status{});
            want_table.expect("dwte", dwte, roundings);
        });
}

TEST_CASE("finite differences through both ends") {
    // The smallest tied model: what the lookup gives goes straight into the head. Losses of a few units have
    // central differences with steps of 1e-5 that are exact to 1e-9; the floats on the way add some 1e-6.
    Random random = harness::random();
    constexpr std::size_t V = 5, W = 7, C = 3;
    const auto wte = random_grid<float>(random, W, C);
    const std::vector<TokenId> ids{4, 0, 4, 2}, targets{0, 1, 1, 4}; // token 3 is neither read nor wanted
    Grid<float> hidden(ids.size(), C), logits(ids.size(), W), dlogits(ids.size(), W), dhidden(ids.size(), C);
    for (std::size_t n = 0; n < ids.size(); ++n)
        std::ranges::copy(wte.row(static_cast<std::size_t>(ids[n])), hidden.row(n).begin());
    subject::tied_logits(hidden, wte, V, logits);
    const Loss loss = subject::cross_entropy(logits, targets, nothing_ignored, dlogits);
    subject::hidden_gradient(dlogits, wte, V, dhidden);
    Grid<float> dwte = filled(W, C, 0);
    expect_status(subject::table_gradient(ids, dhidden, hidden, dlogits, V, dwte), Status{});

    Grid<double> weights(W, C), want(W, C);
    std::ranges::copy(wte.cells(), weights.cells().begin());
    expect_near("the mean", loss.mean, tied_loss(weights, V, ids, targets), 1e-5);
    constexpr double step = 1e-5;
    for (std::size_t i = 0; i < weights.cells().size(); ++i) {
        const double at = weights.cells()[i];
        weights.cells()[i] = at + step;
        const double above = tied_loss(weights, V, ids, targets);
        weights.cells()[i] = at - step;
        const double below = tied_loss(weights, V, ids, targets);
        weights.cells()[i] = at;
        want.cells()[i] = (above - below) / (2 * step);
    }
    expect_close("dwte", dwte, want, {.abs = 2e-5});
    expect_true("the row of a token that was neither read nor wanted moves, too",
                std::ranges::any_of(dwte.row(3), [](float g) { return g != 0; }));
}

TEST_CASE("the gradients are the adjoints of the products") {
    // <J x, g> = <x, J^T g>, with fractions that multiply and add exactly in float: both sides are equal.
    Random random = harness::random();
    const auto inner = [](const Grid<float>& a, const Grid<float>& b) {
        double sum = 0;
        for (std::size_t i = 0; i < a.cells().size(); ++i)
            sum += product(a.cells()[i], b.cells()[i]);
        return sum;
    };
    const auto wte = random_fractions(random, 6, 4), hidden = random_fractions(random, 3, 4);
    const auto g = random_fractions(random, 3, 6), nothing = filled(3, 4, 0);
    Grid<float> logits(3, 6), dhidden(3, 4), dwte = filled(6, 4, 0);
    subject::tied_logits(hidden, wte, 6, logits);
    subject::hidden_gradient(g, wte, 6, dhidden);
    subject::table_gradient(std::vector<TokenId>{0, 1, 2}, nothing, hidden, g, 6, dwte);
    expect_near("<hidden, dhidden>, which is <logits, g>", inner(hidden, dhidden), inner(logits, g), 0);
    expect_near("<wte, dwte>, which is <logits, g>", inner(wte, dwte), inner(logits, g), 0);

    const auto a = random_fractions(random, 5, 3), b = random_fractions(random, 3, 4);
    const auto dout = random_fractions(random, 6, 4);
    const std::vector<TokenId> ids{4, 0, 4, 1, 2, 4};
    Grid<float> out(6, 4), da = filled(5, 3, 0), db = filled(3, 4, 0);
    subject::factor_gather(a, b, ids, out);
    subject::factor_gradient(dout, a, b, ids, da, db);
    expect_near("<a, da>, which is <out, dout>", inner(a, da), inner(out, dout), 0);
    expect_near("<b, db>, which is <out, dout>", inner(b, db), inner(out, dout), 0);
}

TEST_CASE("logits beyond element 2^32" * large) {
    adverse_logits().far();
}

TEST_CASE("gradients of hidden states beyond element 2^32" * large) {
    adverse_hidden().far();
}

TEST_CASE("gradients of the table beyond element 2^32" * large) {
    adverse_table().far();
}

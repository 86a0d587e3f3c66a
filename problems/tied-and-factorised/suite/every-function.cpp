#include "fixtures.h"

using namespace suite;

TEST_CASE("what does not fit is refused in the order of the contract") {
    const Status mismatch{Code::shape_mismatch}, too_large{Code::invalid_argument, 0, 5, 4};
    const std::vector<TokenId> good{0, 2}, bad{0, 3}, worse{-1, 9};
    const Grid<float> two(2, 2, {1, 2, 3, 4}), three(2, 3, {1, 2, 3, 4, 5, 6}), four = filled(2, 4, 1);
    const auto refused_logits = [&](const Grid<float>& hidden, std::size_t V, std::size_t rows,
                                    std::size_t cols, Status status) {
        Grid<float> logits(rows, cols);
        expect_status(subject::tied_logits(hidden, small_table(), V, logits), status);
        expect_untouched("logits", logits);
    };
    refused_logits(three, 9, 2, 4, mismatch);
    refused_logits(two, 9, 2, 3, mismatch);
    refused_logits(two, 9, 1, 4, mismatch);
    refused_logits(two, 5, 2, 4, too_large);

    Grid<float> dhidden(2, 2);
    expect_status(subject::hidden_gradient(three, small_table(), 9, dhidden), mismatch);
    expect_status(subject::hidden_gradient(four, small_table(), 5, dhidden), too_large);
    expect_untouched("dhidden", dhidden);

    const auto refused_table = [&](const std::vector<TokenId>& ids, const Grid<float>& dinput,
                                   const Grid<float>& dlogits, std::size_t V, Status status) {
        Grid<float> dwte = filled(4, 2, 5);
        expect_status(subject::table_gradient(ids, dinput, two, dlogits, V, dwte), status);
        expect_identical("dwte", dwte, filled(4, 2, 5));
    };
    for (const std::size_t rows : {3, 5}) {
        Grid<float> dwte = filled(rows, 2, 5), right = filled(4, 2, 5);
        expect_status(subject::table_gradient(worse, two, two, four, 9, dwte), mismatch);
        expect_identical("dwte", dwte, filled(rows, 2, 5));
        expect_status(subject::table_gradient(worse, two, filled(rows, 2, 1), four, 9, right), mismatch);
        expect_identical("dwte", right, filled(4, 2, 5));
    }
    refused_table(worse, three, four, 9, mismatch);
    refused_table(worse, two, three, 9, mismatch);
    refused_table({0}, two, four, 9, mismatch);
    refused_table(worse, two, four, 5, too_large);
    refused_table(worse, two, four, 3, Status{Code::id_out_of_range, 0, -1, 3});
    refused_table(bad, two, four, 3, Status{Code::id_out_of_range, 1, 3, 3}); // a padding row is no token

    const auto refused_loss = [&](const std::vector<TokenId>& targets, std::size_t cols, Status status) {
        Grid<float> dlogits(2, cols);
        expect_equal("what is returned", subject::cross_entropy(three, targets, 7, dlogits) == Loss{status},
                     true);
        expect_untouched("dlogits", dlogits);
    };
    refused_loss(worse, 2, mismatch);
    refused_loss({0, 1, 2}, 3, mismatch);
    refused_loss(worse, 3, Status{Code::id_out_of_range, 0, -1, 3});
    refused_loss({7, 3}, 3, Status{Code::id_out_of_range, 1, 3, 3});
    refused_loss({2, 8}, 3, Status{Code::id_out_of_range, 1, 8, 3});
    refused_loss({2, -100}, 3, Status{Code::id_out_of_range, 1, -100, 3}); // PyTorch's ignored target

    Grid<float> out(2, 3), da = filled(3, 2, 5), db = filled(2, 3, 5);
    const Grid<float> a = filled(3, 2, 1);
    expect_status(subject::factor_gather(a, filled(3, 3, 1), worse, out), mismatch);
    expect_status(subject::factor_gather(a, three, worse, out), Status{Code::id_out_of_range, 0, -1, 3});
    expect_status(subject::factor_gather(a, three, bad, out), Status{Code::id_out_of_range, 1, 3, 3});
    expect_untouched("out", out);
    expect_status(subject::factor_gradient(two, a, three, worse, da, db), mismatch);
    expect_status(subject::factor_gradient(three, a, filled(3, 3, 1), worse, da, db), mismatch);
    Grid<float> wide = filled(3, 3, 5), square = filled(3, 3, 5);
    expect_status(subject::factor_gradient(three, a, three, worse, wide, db), mismatch);
    expect_status(subject::factor_gradient(three, a, three, worse, da, square), mismatch);
    expect_status(subject::factor_gradient(three, a, three, bad, da, db),
                  Status{Code::id_out_of_range, 1, 3, 3});
    expect_identical("da", da, filled(3, 2, 5));
    expect_identical("db", db, filled(2, 3, 5));
}

TEST_CASE("every function at every boundary of its sizes") {
    adverse_logits().also({{{"V", 50'257}, {"C", 4}, {"N", 2}, {"W - V", 47}}}).sizes();
    adverse_hidden().also({{{"V", 50'257}, {"C", 4}, {"N", 2}, {"W - V", 47}}}).sizes();
    adverse_table().also({{{"V", 50'257}, {"C", 4}, {"N", 2}, {"W - V", 47}}}).sizes();
    adverse_loss().also({{{"V", 50'257}, {"N", 3}}}).sizes();
    // The product of the second pair of factors has more elements than there is memory.
    const std::initializer_list<Extents> large_factors{{{"V", 50'257}, {"R", 128}, {"C", 9}, {"N", 5}},
                                                       {{"V", 60'000}, {"R", 1}, {"C", 60'000}, {"N", 2}}};
    adverse_gather().also(large_factors).sizes();
    adverse_factors().also(large_factors).sizes();
}

TEST_CASE("every function where rows lie apart") {
    adverse_logits().gaps();
    adverse_hidden().gaps();
    adverse_table().gaps();
    adverse_loss().gaps();
    adverse_gather().gaps();
    adverse_factors().gaps();
}

TEST_CASE("every function with empty axes") {
    adverse_logits().empty_axes();
    adverse_hidden().empty_axes();
    adverse_table().empty_axes();
    adverse_loss().empty_axes();
    adverse_gather().empty_axes();
    adverse_factors().empty_axes();
}

TEST_CASE("every function with special values and refusals") {
    // A position without a gradient is not left out: 0 times infinity is NaN, for each token.
    constexpr std::size_t tokens = 70;
    Grid<float> hidden(2, 2, {infinity, 1, 2, 3}), dlogits = filled(2, tokens, 0),
                                                   dwte = filled(tokens, 2, 0);
    std::ranges::fill(dlogits.row(1), 1.0F);
    expect_status(
        subject::table_gradient(std::vector<TokenId>{0, 1}, filled(2, 2, 0), hidden, dlogits, tokens, dwte),
        Status{});
    for (std::size_t v = 0; v < tokens; ++v) {
        expect_true("0 times infinity is NaN", is_own_nan(dwte(v, 0)));
        expect_equal("a gradient beside it", dwte(v, 1), 3.0F);
    }
    // The number of an id and a place, as one number, needs more than 32 bits.
    constexpr std::size_t V = 70'001, N = 70'003;
    std::vector<TokenId> ids(N);
    Grid<float> a(V, 1), dout(N, 1), da = filled(V, 1, 0), db = filled(1, 1, 0);
    for (std::size_t n = 0; n < N; ++n) {
        ids[n] = static_cast<TokenId>(V - 1 - n * 7'919 % 65'537);
        dout(n, 0) = static_cast<float>(n % 4);
    }
    for (std::size_t v = 0; v < V; ++v)
        a(v, 0) = static_cast<float>(v % 3);
    Grid<float> want_da = da, want_db = db;
    const Grid<float> factor = filled(1, 1, 2);
    expect_status(subject::factor_gradient(dout, a, factor, ids, da, db), Status{});
    reference::factor_gradient(dout, a, factor, ids, want_da, want_db);
    expect_identical("da", da, want_da);
    expect_identical("db", db, want_db);
    // Rows of da without a token keep every bit, those of a signalling NaN among them.
    for (const std::uint32_t pattern : {0x7FA12345U, 0xFF812345U, 0x7FC12345U, 0x80000000U, 1U}) {
        INFO("rows of da hold the bits ", pattern);
        Grid<float> kept = filled(4, 2, std::bit_cast<float>(pattern)), across = filled(2, 3, 0);
        Grid<float> before = kept;
        kept(1, 0) = kept(1, 1) = 0;
        expect_status(subject::factor_gradient(filled(2, 3, 1), filled(4, 2, 1), filled(2, 3, 1),
                                               std::vector<TokenId>{1, 1}, kept, across),
                      Status{});
        before(1, 0) = before(1, 1) = 6;
        expect_true("every bit is kept where no token is", kept == before);
    }
    // Results below the normal numbers are exact where nothing is rounded, however much there is to do.
    constexpr std::size_t much = 1'024, channels = 16;
    const Grid<float> tiny = filled(much, channels, 0x1p-70F), little = filled(much, channels, 0x1p-67F);
    Grid<float> products(much, much), sums(much, channels), table = filled(much, channels, 0);
    expect_status(subject::tied_logits(tiny, little, much, products), Status{});
    expect_identical("logits, 16 times 2^-137", products, filled(much, much, 0x1p-133F));
    const Grid<float> slopes = filled(much, much, 0x1p-70F);
    expect_status(subject::hidden_gradient(slopes, little, much, sums), Status{});
    expect_identical("dhidden, 1,024 times 2^-137", sums, filled(much, channels, 0x1p-127F));
    expect_status(subject::table_gradient(std::vector<TokenId>(much, 0), filled(much, channels, 0), little,
                                          slopes, much, table),
                  Status{});
    expect_identical("dwte, 1,024 times 2^-137", table, filled(much, channels, 0x1p-127F));
    std::vector<TokenId> each(much);
    for (std::size_t n = 0; n < much; ++n)
        each[n] = static_cast<TokenId>(n);
    const Grid<float> low = filled(channels, much, 0x1p-67F);
    Grid<float> rows(much, much), dlow = filled(channels, much, 0), dtall = filled(much, channels, 0);
    expect_status(subject::factor_gather(tiny, low, each, rows), Status{});
    expect_identical("rows, 16 times 2^-137", rows, filled(much, much, 0x1p-133F));
    expect_status(subject::factor_gradient(slopes, little, low, each, dtall, dlow), Status{});
    expect_identical("da, 1,024 times 2^-137", dtall, filled(much, channels, 0x1p-127F));
    expect_identical("db, 1,024 times 2^-137", dlow, filled(channels, much, 0x1p-127F));
    adverse_logits().special_cases();
    adverse_hidden().special_cases();
    adverse_table().special_cases();
    adverse_loss().special_cases();
    adverse_gather().special_cases();
    adverse_factors().special_cases();
}

TEST_CASE("every function after other calls") {
    // What another function needed as much of is no part of a call.
    Random random = constructed();
    const auto rows = spread_grid(random, 2'051, 3), dlogits = spread_grid(random, 2'051, 7);
    const auto inputs = spread_grid(random, 2'051, 3);
    const std::vector<TokenId> ids = random_ids(random, 2'051, 7);
    const auto table_gradient = [&] {
        Grid<float> dwte = filled(7, 3, 0);
        expect_status(subject::table_gradient(ids, inputs, rows, dlogits, 7, dwte), Status{});
        return dwte;
    };
    const auto loss_gradient = [&] {
        Grid<float> gradient(2'051, 7);
        subject::cross_entropy(dlogits, ids, nothing_ignored, gradient);
        return gradient;
    };
    const auto narrow = spread_grid(random, 7, 2), across = spread_grid(random, 2, 3);
    const auto factor_gradients = [&] {
        Grid<float> da = filled(7, 2, 0), db = filled(2, 3, 0);
        expect_status(subject::factor_gradient(rows, narrow, across, ids, da, db), Status{});
        return std::pair{da, db};
    };
    const Grid<float> before = table_gradient(), loss_before = loss_gradient();
    const auto [da_before, db_before] = factor_gradients();
    const auto expect_the_same = [&](const char* after) {
        INFO("after ", after);
        expect_identical("the same gradients of a table", table_gradient(), before);
        expect_identical("the same gradients of a loss", loss_gradient(), loss_before);
        const auto [da_after, db_after] = factor_gradients();
        expect_identical("the same gradients of a tall factor", da_after, da_before);
        expect_identical("the same gradients of a wide factor", db_after, db_before);
    };
    const auto many = spread_grid(random, 9'001, 5), wide = spread_grid(random, 37, 5);
    Grid<float> logits(9'001, 37), dhidden(9'001, 5);
    expect_status(subject::tied_logits(many, wide, 37, logits), Status{});
    expect_the_same("logits of many positions");
    expect_status(subject::hidden_gradient(logits, wide, 37, dhidden), Status{});
    expect_the_same("gradients of many positions");
    const std::vector<TokenId> many_ids = random_ids(random, 9'001, 37);
    Grid<float> slopes(9'001, 37);
    subject::cross_entropy(logits, many_ids, nothing_ignored, slopes);
    expect_the_same("losses of many positions");
    Grid<float> da = filled(37, 5, 0), db = filled(5, 5, 0);
    const auto factor = spread_grid(random, 5, 5);
    expect_status(subject::factor_gather(wide, factor, many_ids, dhidden), Status{});
    expect_status(subject::factor_gradient(many, wide, factor, many_ids, da, db), Status{});
    expect_the_same("factors of many positions");
    // Exponentials of so many sizes that even a sum in double depends on its order, wherever the views lie.
    Grid<float> uneven(1, 129);
    const auto loss_at = [&](std::size_t by) {
        std::vector<float> cells(by + 129);
        const Loss loss = subject::cross_entropy(uneven, std::vector<TokenId>{0}, nothing_ignored,
                                                 {&cells[by], 1, 129, 129});
        return std::pair(loss.mean, std::vector<float>(&cells[by], cells.data() + cells.size()));
    };
    for (int row = 0; row < 8; ++row) {
        for (float& logit : uneven.cells())
            logit = static_cast<float>(random.uniform(-30, 0));
        uneven(0, 0) = 0;
        const auto first_loss = loss_at(0);
        for (const std::size_t by : {1, 2, 3, 8})
            expect_true("an equal call elsewhere gives the same loss", loss_at(by) == first_loss);
    }
    // Sums that are long enough for threads to share them, and to be finished in another order.
    adverse_logits().also({{{"V", 9}, {"C", 4'099}, {"N", 2}, {"W - V", 1}}}).history();
    adverse_hidden().also({{{"V", 4'099}, {"C", 3}, {"N", 2}, {"W - V", 3}}}).history();
    adverse_table().also({{{"V", 7}, {"C", 3}, {"N", 2'051}, {"W - V", 1}}}).history();
    adverse_loss().also({{{"V", 4'099}, {"N", 3}}, {{"V", 5}, {"N", 2'051}}}).history();
    adverse_gather().also({{{"V", 7}, {"R", 2'051}, {"C", 5}, {"N", 3}}}).history();
    adverse_factors()
        .also({{{"V", 7}, {"R", 3}, {"C", 5}, {"N", 2'051}}, {{"V", 7}, {"R", 3}, {"C", 2'051}, {"N", 3}}})
        .history();
    adverse_logits().after(adverse_table());
    adverse_hidden().after(adverse_logits());
    adverse_table().after(adverse_hidden());
    adverse_loss().after(adverse_logits());
    adverse_factors().after(adverse_gather());
}

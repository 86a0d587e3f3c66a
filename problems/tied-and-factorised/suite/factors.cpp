#include "fixtures.h"

using namespace suite;

TEST_CASE("a factorised table gives rows of the product") {
    // a b = (1 2 3), (10 20 30), (11 22 33): a table of rank 2 whose last row is the sum of the others.
    const Grid<float> a(3, 2, {1, 0, 0, 10, 1, 10}), b(2, 3, {1, 2, 3, 1, 2, 3});
    Grid<float> out(4, 3);
    const std::vector<TokenId> ids{2, 0, 2, 1};
    expect_status(subject::factor_gather(a, b, ids, out), Status{});
    expect_identical("out", out, Grid<float>(4, 3, {11, 22, 33, 1, 2, 3, 11, 22, 33, 10, 20, 30}));

    // With R = C and the identity as b, a is the plain table.
    Random random = constructed();
    const auto table = random_grid<float>(random, 5, 4);
    Grid<float> identity = filled(4, 4, 0), rows(5, 4);
    for (std::size_t c = 0; c < 4; ++c)
        identity(c, c) = 1;
    subject::factor_gather(table, identity, std::vector<TokenId>{0, 1, 2, 3, 4}, rows);
    expect_identical("rows of the plain table", rows, table);
}

TEST_CASE("both factors get their gradient") {
    // da[v] += dout b^T: token 1 was read twice. db += a[ids]^T dout.
    const Grid<float> a(2, 1, {3, 5}), b(1, 2, {1, 10});
    Grid<float> da = filled(2, 1, 0), db = filled(1, 2, 0);
    const std::vector<TokenId> ids{1, 1, 0};
    expect_status(subject::factor_gradient(Grid<float>(3, 2, {1, 0, 0, 1, 2, 2}), a, b, ids, da, db),
                  Status{});
    expect_identical("da", da, Grid<float>(2, 1, {22, 11}));
    expect_identical("db", db, Grid<float>(1, 2, {11, 11}));

    const float kept = -0.0F; // even adding 0 would change it
    Grid<float> unread = filled(1, 2, kept);
    expect_status(subject::factor_gradient(Grid<float>(0, 2), a, b, {}, da, unread), Status{});
    expect_identical("db without a position", unread, filled(1, 2, kept));

    Grid<float> wide = filled(4, 1, kept);
    db.fill(0);
    subject::factor_gradient(Grid<float>(1, 2, {1, 1}), Grid<float>(4, 1, {1, 2, 3, 4}), b,
                             std::vector<TokenId>{2}, wide, db);
    for (const std::size_t v : {0, 1, 3})
        expect_identical("da of a token that was not read", wide.row(v), filled(1, 1, kept).row(0));
}

TEST_CASE("what GPT-2 saves is counted exactly") {
    const TableCounts small =
        subject::count({.vocabulary = 50'257, .channels = 768, .rank = 128, .others = 85'842'432});
    expect_equal("tied", small.tied, std::uint64_t{124'439'808});
    expect_equal("untied", small.untied, std::uint64_t{163'037'184});
    expect_equal("untied - tied", small.untied - small.tied, std::uint64_t{38'597'376});
    expect_near("saved_share, 23.7 %", small.saved_share, 0.237, 0.0005);
    expect_near("saved_share", small.saved_share, 38'597'376.0 / 163'037'184.0, 0x1p-50);
    expect_equal("factorised, rank 128", small.factorised, std::uint64_t{6'531'200});
    expect_equal("max_rank", small.max_rank, std::uint64_t{756});
    // XL: 1,557,611,200 parameters, of which 50,257 * 1,600 in the token table.
    const TableCounts xl = subject::count(
        {.vocabulary = 50'257, .channels = 1'600, .rank = 1'550, .others = 1'557'611'200 - 80'411'200});
    expect_equal("tied, XL", xl.tied, std::uint64_t{1'557'611'200});
    expect_equal("untied, XL", xl.untied, std::uint64_t{1'638'022'400});
    expect_equal("max_rank, XL", xl.max_rank, std::uint64_t{1'550});
    expect_true("rank 1,550 still saves", xl.factorised < 80'411'200);
}

TEST_CASE("the rank at which nothing is saved any more") {
    struct Row {
        std::uint64_t vocabulary, channels, rank;
    };
    // V C / (V + C) is 756.4, 2, 1, 1.5, 1/2, 4, 192: where it is whole, that rank costs as much as the
    // table.
    for (const auto& [V, C, rank] : {Row{50'257, 768, 756},
                                     {4, 4, 1},
                                     {2, 2, 0},
                                     {3, 3, 1},
                                     {1, 1, 0},
                                     {20, 5, 3},
                                     {256, 768, 191},
                                     {1, 1'000, 0},
                                     {1'000'001, 1'000'001'000'001, 1'000'000}, // 1 / 1,000,001 above
                                     {3'037'000'499, 3'037'000'499, 1'518'500'249},
                                     {0, 0, 0},
                                     {0, 8, 0},
                                     {8, 0, 0}}) {
        INFO("V = ", V, ", C = ", C);
        const TableCounts counts = subject::count({.vocabulary = V, .channels = C, .rank = rank});
        expect_equal("max_rank", counts.max_rank, rank);
        expect_equal("factorised", counts.factorised, rank * (V + C));
        expect_equal("saved_share", counts.saved_share, V * C == 0 ? 0.0 : 0.5);
    }
    const std::uint64_t huge = std::uint64_t{1} << 31;
    const TableCounts counts = subject::count({.vocabulary = huge, .channels = huge, .rank = 3, .others = 7});
    expect_equal("untied, of two tables of 2^62", counts.untied, (std::uint64_t{1} << 63) + 7);
    expect_equal("max_rank, for 2^62 parameters", counts.max_rank, (std::uint64_t{1} << 30) - 1);
    expect_equal("saved_share without any parameter", subject::count({.rank = 5}).saved_share, 0.0);
}

TEST_CASE("random factors stay within their rounding") {
    for_random_sizes(
        8, {{"V", 1, 9}, {"R", 1, 20}, {"C", 1, 30}, {"N", 1, 9}}, [](const Sizes& size, Random& random) {
            const std::size_t V = size["V"], R = size["R"], C = size["C"], N = size["N"];
            const auto a = random_grid<float>(random, V, R), b = random_grid<float>(random, R, C);
            const auto dout = spread_grid(random, N, C);
            const auto ids = random_ids(random, N, V);
            Grid<float> out(N, C), da = random_grid<float>(random, V, R),
                                   db = random_grid<float>(random, R, C);
            Sums want_out(N, C), want_da(V, R), want_db(R, C);
            Grid<double> roundings(V, R);
            roundings.fill(3);
            want_da.add(da);
            want_db.add(db);
            for (std::size_t n = 0; n < N; ++n)
                for (std::size_t r = 0; r < R; ++r) {
                    const auto id = static_cast<std::size_t>(ids[n]);
                    roundings(id, r) += static_cast<double>(C);
                    for (std::size_t c = 0; c < C; ++c) {
                        want_out.add(n, c, product(a(id, r), b(r, c)));
                        want_da.add(id, r, product(dout(n, c), b(r, c)));
                        want_db.add(r, c, product(a(id, r), dout(n, c)));
                    }
                }
            expect_status(subject::factor_gather(a, b, ids, out), Status{});
            want_out.expect("out", out, R + 1);
            expect_status(subject::factor_gradient(dout, a, b, ids, da, db), Status{});
            want_da.expect("da", da, roundings);
            want_db.expect("db", db, N + 3);
        });
}

TEST_CASE("rows of a product beyond element 2^32" * large) {
    // Ids that have their lower bits in common, whichever number of them, in one call.
    constexpr std::size_t most = (std::size_t{1} << 24) + 1;
    Grid<float> tall(most, 1);
    tall.fill(0);
    const Grid<float> factor = filled(1, 2, 0.5F);
    std::vector<TokenId> ids{0};
    for (std::size_t power = 1; power < most; power *= 2)
        ids.push_back(static_cast<TokenId>(power));
    for (std::size_t i = 0; i < ids.size(); ++i)
        tall(static_cast<std::size_t>(ids[i]), 0) = static_cast<float>(i + 1);
    Grid<float> products(ids.size(), 2), want(ids.size(), 2);
    expect_status(subject::factor_gather(tall, factor, ids, products), Status{});
    reference::factor_gather(tall, factor, ids, want);
    expect_identical("out", products, want);
    adverse_gather().far();
    // A table of rank 0 may have more rows than any id.
    const Grid<float> b(0, 2);
    for (const std::size_t V :
         {(std::size_t{1} << 31) + 5, (std::size_t{1} << 32) + 5, std::size_t{1} << 63}) {
        INFO("V = ", V, ", R = 0");
        const Matrix<const float> a(nullptr, V, 0);
        const Matrix<float> da(nullptr, V, 0);
        for (const TokenId id : {-1, std::numeric_limits<TokenId>::min()}) {
            Grid<float> out(2, 2), db(0, 2);
            const Status refused{Code::id_out_of_range, 1, id, V};
            expect_status(subject::factor_gather(a, b, std::vector<TokenId>{7, id}, out), refused);
            expect_untouched("out", out);
            expect_status(
                subject::factor_gradient(filled(2, 2, 1), a, b, std::vector<TokenId>{7, id}, da, db),
                refused);
        }
        Grid<float> out(1, 2);
        const std::vector<TokenId> last{std::numeric_limits<TokenId>::max()};
        expect_status(subject::factor_gather(a, b, last, out), Status{});
        expect_close("rows of rank 0", out, filled(1, 2, 0), {});
    }
}

TEST_CASE("gradients of factors beyond element 2^32" * large) {
    adverse_factors().far();
}

#include "fixtures.h"

using namespace suite;

namespace {

std::vector<std::uint64_t> order_of(std::uint64_t seed, std::uint64_t epoch, std::size_t windows) {
    std::vector<std::uint64_t> order(windows, 77);
    subject::shuffled_order(seed, epoch, order);
    return order;
}

Status order_with(std::uint64_t seed, std::uint64_t epoch, std::span<std::uint64_t> order) {
    subject::shuffled_order(seed, epoch, order);
    return {};
}
Status wanted_order(std::uint64_t seed, std::uint64_t epoch, std::span<std::uint64_t> order) {
    reference::shuffled_order(seed, epoch, order);
    return {};
}
auto adverse_order() {
    return Adverse("shuffled_order", &order_with, &wanted_order, {{.name = "W", .ordinary = 5}},
                   any_number_64("seed"), any_number_64("epoch"),
                   detail::block<std::span<std::uint64_t>, std::uint64_t>("order", {"W"}, {},
                                                                          Checked::nothing, false, true, true,
                                                                          detail::span_view<std::uint64_t>));
}

} // namespace

TEST_CASE("as many windows as have all their targets") {
    struct Case {
        std::size_t n, L, S, W;
    };
    constexpr Case cases[] = {
        {10, 4, 4, 2},   {9, 4, 4, 2},         {8, 4, 4, 1},  {5, 4, 1, 1},  {4, 4, 1, 0},  {3, 4, 4, 0},
        {0, 4, 4, 0},    {5'145, 4, 4, 1'286}, {10, 4, 1, 6}, {10, 4, 2, 3}, {10, 4, 7, 1}, {12, 4, 7, 2},
        {10, 4, 100, 1}, {2, 1, 1, 1},         {1, 1, 1, 0},  {7, 0, 2, 0},  {7, 2, 0, 0},  {0, 0, 0, 0}};
    for (const auto& [n, L, S, W] : cases) {
        INFO("n = ", n, ", L = ", L, ", S = ", S);
        expect_equal("windows", subject::count_windows(n, L, S), W);
    }
    for (const std::size_t n : {3, 11, 12})
        for (const std::size_t L : {1, 2, 3, 10})
            for (const std::size_t S : {1, 2, 3, 5}) {
                INFO("n = ", n, ", L = ", L, ", S = ", S);
                expect_equal("windows", subject::count_windows(n, L, S), begins(n, L, S).size());
            }
}

TEST_CASE("a text that is too short is refused, and so are options of size 0") {
    const auto number = [](std::size_t value) { return static_cast<std::int64_t>(value); };
    expect_status(subject::validate(1'000, {}), Status{});
    expect_status(subject::validate(5, plain(4, 4)), Status{});
    expect_status(subject::validate(4, plain(4, 4)), Status::position_out_of_range(0, 4, 4));
    expect_status(subject::validate(0, plain(4, 4)), Status::position_out_of_range(0, 4, 0));
    expect_status(subject::validate(100, {}), Status::position_out_of_range(0, 256, 100));
    expect_status(subject::validate(huge, plain(huge, 1)),
                  Status::position_out_of_range(0, number(huge), huge));
    // Which of several reasons comes first?
    expect_status(subject::validate(0, plain(0, 0, 0)), Status{Code::invalid_argument, 0});
    expect_status(subject::validate(0, plain(4, 0, 0)), Status{Code::invalid_argument, 1});
    expect_status(subject::validate(0, plain(4, 4, 0)), Status{Code::invalid_argument, 2});
    expect_status(subject::validate(9, plain(0, 4, 1)), Status{Code::invalid_argument, 0});
    expect_status(subject::validate(4, plain(4, 4, 2, true)), Status::position_out_of_range(0, 4, 4));
    // Two windows make no batch of three, unless the last batch may be short.
    expect_status(subject::validate(10, plain(4, 4, 3, true)), Status{Code::shape_mismatch, 0, 2, 3});
    expect_status(subject::validate(10, plain(4, 4, 2, true)), Status{});
    expect_status(subject::validate(10, plain(4, 4, 3, false)), Status{});
    expect_status(subject::validate(10, plain(4, huge, 1, true)), Status{}); // one window is a batch of one
    expect_status(subject::validate(10, plain(4, 4, huge, true)), Status{Code::shape_mismatch, 0, 2, -1});
    // And every small text with every small option.
    for (std::size_t n = 0; n < 6; ++n)
        for (std::size_t L = 0; L < 5; ++L)
            for (std::size_t S = 0; S < 4; ++S)
                for (std::size_t B = 0; B < 7; ++B)
                    for (const bool drop_last : {false, true}) {
                        INFO("n = ", n, ", L = ", L, ", S = ", S, ", B = ", B, ", drop_last = ", drop_last);
                        const Options options = plain(L, S, B, drop_last);
                        expect_status(subject::validate(n, options), reference::validate(n, options));
                    }
}

TEST_CASE("the order of an epoch is the one that the contract states") {
    using Order = std::vector<std::uint64_t>;
    // Computed with a program of a few lines in another language.
    expect_identical("the order, of 5, seed 1, epoch 0", order_of(1, 0, 5), Order{4, 0, 3, 1, 2});
    expect_identical("the order, of 5, seed 1, epoch 1", order_of(1, 1, 5), Order{4, 3, 1, 2, 0});
    expect_identical("the order, of 6, seed 7, epoch 0", order_of(7, 0, 6), Order{2, 5, 3, 1, 0, 4});
    expect_identical("the order, of 6, seed 7, epoch 1", order_of(7, 1, 6), Order{1, 3, 2, 5, 4, 0});
    expect_identical("the order, of 6, seed 7, epoch 2", order_of(7, 2, 6), Order{3, 0, 5, 2, 1, 4});
    expect_identical("order of one", order_of(9, 4, 1), Order{0});
    expect_identical("order of none", order_of(9, 4, 0), Order{});
    for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1} << 63, std::uint64_t{huge}})
        for (const std::uint64_t epoch : {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{1} << 32})
            for (const std::size_t W : {2, 3, 64, 1'000, 4'097}) {
                INFO("seed = ", seed, ", epoch = ", epoch, ", W = ", W);
                Order want(W);
                reference::shuffled_order(seed, epoch, want);
                expect_identical("order", order_of(seed, epoch, W), want);
            }
}

TEST_CASE("an order has each window once, and every place is equally likely") {
    // A number is at a place in 60 of 360 epochs, give or take 7.07; 6.5 times as much has a probability of
    // 1e-10. The seed is fixed, so a right program passes in each run.
    constexpr std::size_t W = 6, epochs = 360;
    Grid<double> seen(W, W);
    seen.fill(0);
    for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
        auto order = order_of(2'026, epoch, W);
        for (std::size_t place = 0; place < W; ++place)
            if (order[place] < W) ++seen(place, order[place]);
        std::ranges::sort(order);
        if (!expect_identical("the sorted order", order, std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5}))
            return;
    }
    Grid<double> expected(W, W);
    expected.fill(epochs / double(W));
    expect_close("how often each number is at each place", seen, expected,
                 {.abs = 6.5 * std::sqrt(epochs * 5 / 36.0)});
    expect_true("another epoch has another order", order_of(1, 0, 20) != order_of(1, 1, 20));
    expect_true("another seed has another order", order_of(1, 0, 20) != order_of(2, 0, 20));
    expect_true("seed and epoch do not stand for each other", order_of(1, 2, 20) != order_of(2, 1, 20));
}

TEST_CASE("the windows of the worked example") {
    const Loader loader(counting(10), plain(4, 4));
    expect_equal("windows", loader.windows(), 2);
    expect_equal("batches", loader.batches(), 2);
    expect_place("window 0", loader.place(0), Place{0, 4, 1, 4});
    expect_place("window 1", loader.place(1), Place{4, 4, 5, 4});
    expect_place("window 2, which does not exist", loader.place(2), Place{});
    expect_place("window 2^64 - 1", loader.place(huge), Place{});
}

TEST_CASE("windows overlap, touch or leave gaps, as the stride says") {
    for (const std::size_t S : {1, 2, 3, 4, 5, 9})
        for (const std::size_t n : {5, 6, 8, 9, 13, 40, 41}) {
            INFO("L = 4, S = ", S, ", n = ", n);
            const Loader loader(counting(n), plain(4, S));
            const auto want = begins(n, 4, S);
            expect_equal("windows", loader.windows(), want.size());
            for (std::size_t i = 0; i < want.size(); ++i)
                expect_place("window " + std::to_string(i), loader.place(i),
                             Place{want[i], 4, want[i] + 1, 4});
            for (const std::size_t i :
                 {want.size(), huge, huge / 2 + 1, huge / S, huge / S + 1, huge / S + 2})
                if (i >= want.size()) // and i * S wraps around
                    expect_place("window " + std::to_string(i), loader.place(i), Place{});
        }
}

TEST_CASE("windows show the text, in the order of the text, in every epoch") {
    const Tokens tokens = counting(30);
    const Loader loader(tokens, {.length = 3, .stride = 2, .batch = 2, .shuffle = true, .drop_last = true});
    for (const std::uint64_t epoch : {0, 5}) {
        subject::begin_epoch(loader.object, epoch);
        for (std::size_t i = 0; i < 14; ++i)
            expect_place("window " + std::to_string(i), loader.place(i), Place{2 * i, 3, 2 * i + 1, 3});
    }
    expect_identical("the text", subject::read(loader.text), tokens);
}

TEST_CASE("counts of texts that no memory holds") {
    constexpr std::size_t two32 = std::size_t{1} << 32, two63 = std::size_t{1} << 63;
    const auto expect_count = [](std::size_t n, std::size_t L, std::size_t S, std::size_t W) {
        INFO("n = ", n, ", L = ", L, ", S = ", S);
        expect_equal("windows", subject::count_windows(n, L, S), W);
    };
    for (const std::size_t S : {two32, two32 + 3, 2 * two32, two63 + 1})
        expect_count(23, 4, S, 1); // a stride may be longer than the text
    expect_count(two32 + 5, 4, 1, two32 + 1);
    expect_count(two32 + 5, 4, 4, two32 / 4 + 1);
    expect_count(two32 + 4, 4, 4, two32 / 4);
    expect_count(huge, 1, 1, huge - 1);
    expect_count(huge, huge - 1, 1, 1);
    expect_count(huge, huge, 1, 0);
    expect_count(huge, 1, huge, 1);
    expect_count(huge, 4, huge - 3, 1);
    expect_count(huge, 4, huge - 5, 2);
    expect_count(two63 + 1, 1, two63, 1);
    expect_count(two63 + 2, 1, two63, 2);
    expect_count((std::size_t{1} << 53) + 2, 1, 1, (std::size_t{1} << 53) + 1);
    for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{23}, two32, two63, huge - 1})
        for (const std::size_t L : {n + 1, huge - 1, huge})
            for (const std::size_t S : {std::size_t{1}, std::size_t{2}, two32, two63, huge})
                expect_count(n, L, S, 0);
    expect_status(subject::validate(two32 + 5, plain(4, 1, 3, true)), Status{});
    expect_status(subject::validate(7, plain(two32 + 1, 1, 1)),
                  Status::position_out_of_range(0, static_cast<std::int64_t>(two32 + 1), 7));
}

TEST_CASE("orders of every length, and after other calls") {
    // Every number of windows that blocks of up to 512 leave something of, and some more.
    for (std::size_t W = 0; W <= 1'030; ++W) {
        INFO("W = ", W);
        std::vector<std::uint64_t> want(W);
        reference::shuffled_order(11, W, want);
        if (!expect_identical("order", order_of(11, W, W), want)) return;
    }
    adverse_order().sizes();
    adverse_order().empty_axes();
    adverse_order().special_cases();
    adverse_order().history();
}

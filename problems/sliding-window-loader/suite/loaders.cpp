#include "fixtures.h"

using namespace suite;

namespace {

bool has_loader(const Tokens& tokens, const Options& options) {
    return subject::make(subject::keep(tokens), options).valid();
}

/// What the rows of a batch hold that has these windows, and their targets with `shift` 1.
Grid<TokenId> rows_of(const Tokens& tokens, const std::vector<std::size_t>& begin, std::size_t length,
                      std::size_t shift) {
    Grid<TokenId> rows(begin.size(), length);
    for (std::size_t r = 0; r < begin.size(); ++r)
        for (std::size_t t = 0; t < length; ++t)
            rows(r, t) = tokens[begin[r] + shift + t];
    return rows;
}

void expect_batch(const Loader& loader, std::size_t k, const Tokens& tokens,
                  const std::vector<std::size_t>& begin, std::size_t length) {
    INFO("batch k = ", k);
    Grid<TokenId> x(begin.size(), length), y(begin.size(), length);
    expect_status(loader.load(k, x, y), Status{});
    expect_identical("x", x, rows_of(tokens, begin, length, 0));
    expect_identical("y", y, rows_of(tokens, begin, length, 1));
}

void expect_refused(const Loader& loader, std::size_t k, Grid<TokenId> x, Grid<TokenId> y, Status status) {
    expect_status(loader.load(k, x, y), status);
    expect_untouched("x", x);
    expect_untouched("y", y);
}

/// Loaders that live one after the other, perhaps at one address: each has the order of its own seed.
void expect_orders_of_seeds(const Tokens& tokens, Options options) {
    const std::size_t count = reference::count_windows(tokens.size(), options.length, options.stride);
    for (const std::uint64_t seed :
         {std::uint64_t{5}, std::uint64_t{6}, std::uint64_t{7}, std::uint64_t{8}, std::uint64_t{0},
          (std::uint64_t{1} << 32) + 5, std::uint64_t{1} << 63, std::uint64_t{huge}}) {
        INFO("seed = ", seed);
        options.seed = seed;
        options.batch = count;
        std::vector<std::uint64_t> order(count);
        reference::shuffled_order(seed, 0, order);
        std::vector<std::size_t> first;
        for (const std::uint64_t i : order)
            first.push_back(i * options.stride);
        const Loader loader(tokens, options);
        expect_batch(loader, 0, tokens, first, options.length);
    }
}

// A loader as a function, so that each of its sizes meets its boundaries.
Status load_of(Ids tokens, Options options, std::uint64_t epoch, std::uint64_t k, Matrix<TokenId> x,
               Matrix<TokenId> y) {
    const Loader loader(Tokens(tokens.begin(), tokens.end()), options);
    subject::begin_epoch(loader.object, epoch);
    return loader.load(k, x, y);
}
Status wanted_load(Ids tokens, Options options, std::uint64_t epoch, std::uint64_t k, Matrix<TokenId> x,
                   Matrix<TokenId> y) {
    const Text text(tokens);
    const auto loader = reference::make(text, options);
    loader->begin_epoch(epoch);
    return loader->load(k, x, y);
}

/// Batch number q has R rows, "missing" fewer than a whole one has; two windows follow where it is whole.
std::size_t batch_size(const Extents& size) {
    return size["R"] + size["missing"];
}
std::size_t window_number(const Extents& size) {
    return size["q"] * batch_size(size) + size["R"] + (size["missing"] == 0 ? 2 : 0);
}

auto adverse_load() {
    const Dim text(
        [](const Extents& size) { return (window_number(size) - 1) * size["S"] + size["L"] + size["S"]; });
    const auto options_of = [](const Extents& size, bool shuffle, std::uint64_t seed) {
        return Options{.length = size["L"],
                       .stride = size["S"],
                       .batch = batch_size(size),
                       .shuffle = shuffle,
                       .drop_last = false,
                       .seed = seed};
    };
    const Fill any_token = [](Random& random) {
        return static_cast<float>(random.integer(-(1 << 24), 1 << 24));
    };
    return Adverse(
        "load", &load_of, &wanted_load,
        {{.name = "R", .ordinary = 3, .least = 1},
         {.name = "missing", .ordinary = 0, .largest = 2},
         {.name = "q", .ordinary = 2, .largest = 2},
         {.name = "L", .ordinary = 4, .least = 1},
         {.name = "S", .ordinary = 3, .largest = 9, .least = 1}},
        detail::block<Ids, TokenId>("tokens", {text}, {.ordinary = any_token}, Checked::nothing, false, false,
                                    false, detail::span_view<const TokenId>),
        value<Options>(
            "options",
            [=](const Extents& size, Random& random) {
                return Named<Options>{"shuffled", options_of(size, true, random.bits())};
            },
            [=](const Extents& size) {
                return std::vector<Named<Options>>{{"not shuffled", options_of(size, false, 1)},
                                                   {"of seed 0", options_of(size, true, 0)},
                                                   {"of the largest seed", options_of(size, true, huge)}};
            }),
        any_number_64("epoch"),
        value<std::uint64_t>(
            "k",
            [](const Extents& size, Random&) {
                return Named<std::uint64_t>{"q", size["q"]};
            },
            [](const Extents& size) {
                const std::uint64_t B = batch_size(size), count = (window_number(size) + B - 1) / B;
                return std::vector<Named<std::uint64_t>>{{"the number of batches", count, true},
                                                         {"2^32 too large", count + (1ULL << 32), true},
                                                         {"the largest number", huge, true}};
            }),
        matrix_out<TokenId>("x", "R", "L"), matrix_out<TokenId>("y", "R", "L"));
}

/// A loader of the submission and the reference's of the same text.
struct Loaders {
    Tokens tokens;
    Options options;
    Text text;               ///< of the reference's loaders
    std::vector<Loader> got; ///< two of one text, which have nothing in common
    std::vector<std::unique_ptr<WindowLoader>> want;

    Loaders(const Tokens& tokens_, const Options& chosen) : tokens(tokens_), options(chosen), text(tokens_) {
        const auto kept = subject::keep(tokens);
        for (int i = 0; i < 2; ++i) {
            got.emplace_back(kept, options);
            want.push_back(reference::make(text, options));
        }
    }
};

std::string command_epoch(Loaders& both, Random& random) {
    const std::size_t which = random.size(0, 1);
    const std::uint64_t epoch = random.chance(0.7) ? random.size(0, 3) : random.bits();
    subject::begin_epoch(both.got[which].object, epoch);
    both.want[which]->begin_epoch(epoch);
    return "begin_epoch(" + std::to_string(epoch) + ") of loader " + std::to_string(which);
}
std::string command_refused(Loaders& both, Random& random) {
    const std::size_t which = random.size(0, 1), batches = both.want[which]->batches();
    const std::size_t k = batches + random.size(0, 1), rows = both.options.batch + (k == batches ? 0 : 1);
    Grid<TokenId> x(rows, both.options.length), y(rows, both.options.length);
    expect_status(both.got[which].load(k, x, y),
                  Status::position_out_of_range(0, static_cast<std::int64_t>(k), batches));
    expect_untouched("x of a refused load", x);
    return "a refused load of loader " + std::to_string(which);
}
void expect_same_batch(Loaders& both, std::size_t which, std::size_t k) {
    const WindowLoader& want = *both.want[which];
    const std::size_t rows = std::min(both.options.batch, want.windows() - k * both.options.batch);
    Grid<TokenId> x(rows, both.options.length), y(rows, both.options.length);
    Grid<TokenId> want_x = x, want_y = y;
    expect_status(both.got[which].load(k, x, y), want.load(k, want_x, want_y));
    expect_identical("x", x, want_x);
    expect_identical("y", y, want_y);
}
void ask_about_batches(Loaders& both) {
    for (std::size_t which = 0; which < 2; ++which) {
        const WindowLoader& want = *both.want[which];
        expect_equal("windows()", both.got[which].windows(), want.windows());
        expect_equal("batches()", both.got[which].batches(), want.batches());
        for (std::size_t k = 0; k < want.batches(); ++k)
            expect_same_batch(both, which, k);
        const std::size_t L = both.options.length, last = want.windows() - 1,
                          begin = last * both.options.stride;
        expect_place("the last window", both.got[which].place(last), Place{begin, L, begin + 1, L});
        expect_place("the window after it", both.got[which].place(last + 1), Place{});
    }
    expect_identical("the text", subject::read(both.got[0].text), both.tokens);
}

} // namespace

TEST_CASE("no loader is made where there is nothing to load") {
    expect_true("a text of 5 has a window of 4", has_loader(counting(5), plain(4, 1)));
    expect_true("a text of 4 has none, since the last target is missing",
                !has_loader(counting(4), plain(4, 1)));
    expect_true("a text of 3 has none", !has_loader(counting(3), plain(4, 1)));
    expect_true("an empty text has none", !has_loader({}, plain(1, 1)));
    expect_true("L = 0 is refused", !has_loader(counting(5), plain(0, 1)));
    expect_true("S = 0 is refused", !has_loader(counting(5), plain(4, 0)));
    expect_true("B = 0 is refused", !has_loader(counting(5), plain(4, 1, 0)));
    expect_true("less than one batch, drop_last", !has_loader(counting(10), plain(4, 4, 3, true)));
    expect_true("less than one batch, kept", has_loader(counting(10), plain(4, 4, 3, false)));
}

TEST_CASE("a batch of eight windows of four tokens, and their targets") {
    // The ids are those of "Romeo and Juliet" in LLM-101's notebook: the first and the last row of its batch.
    Tokens tokens{464, 4'935, 20'336, 46'566};
    while (tokens.size() < 28)
        tokens.push_back(static_cast<TokenId>(1'000 + tokens.size()));
    for (const TokenId id : {198, 1'712, 584, 3'354, 50'256})
        tokens.push_back(id);
    const Loader loader(tokens, plain(4, 4, 8));
    Grid<TokenId> x(8, 4), y(8, 4);
    expect_status(loader.load(0, x, y), Status{});
    expect_identical("x, row 0", x.row(0), Tokens{464, 4'935, 20'336, 46'566});
    expect_identical("y, row 0", y.row(0), Tokens{4'935, 20'336, 46'566, 1'004});
    expect_identical("x, row 7", x.row(7), Tokens{198, 1'712, 584, 3'354});
    expect_identical("y, row 7", y.row(7), Tokens{1'712, 584, 3'354, 50'256});
    expect_batch(loader, 0, tokens, begins(33, 4, 4), 4);
}

TEST_CASE("the last batch is short, or left out") {
    const Tokens tokens = counting(23); // 7 windows of 4, 3 apart
    for (const bool drop_last : {false, true}) {
        const Loader loader(tokens, plain(4, 3, 3, drop_last));
        expect_equal("windows", loader.windows(), 7);
        expect_equal("batches", loader.batches(), drop_last ? 2 : 3);
        expect_batch(loader, 0, tokens, {0, 3, 6}, 4);
        expect_batch(loader, 1, tokens, {9, 12, 15}, 4);
        if (!drop_last) expect_batch(loader, 2, tokens, {18}, 4);
    }
    const Loader whole(tokens, plain(4, 3, 7, true)); // 7 of 7: nothing to drop
    expect_equal("batches of seven", whole.batches(), 1);
    const Loader kept(tokens, plain(4, 3, 7, false));
    expect_equal("batches of seven, kept", kept.batches(), 1);
    const Loader wide(tokens, plain(4, 3, huge, false));
    expect_equal("batches, B = 2^64 - 1", wide.batches(), 1);
    expect_batch(wide, 0, tokens, {0, 3, 6, 9, 12, 15, 18}, 4);
}

TEST_CASE("each epoch loads the windows in its own order") {
    const Tokens tokens = counting(14); // 5 windows of 4, 2 apart
    Options options{.length = 4, .stride = 2, .batch = 2, .shuffle = true, .drop_last = false, .seed = 1};
    const Loader loader(tokens, options);
    const auto expect_epoch = [&](const char* what, const std::vector<std::size_t>& order) {
        INFO(what);
        expect_batch(loader, 0, tokens, {2 * order[0], 2 * order[1]}, 4);
        expect_batch(loader, 2, tokens, {2 * order[4]}, 4);
        expect_batch(loader, 1, tokens, {2 * order[2], 2 * order[3]}, 4);
    };
    expect_epoch("a new loader is in epoch 0", {4, 0, 3, 1, 2});
    subject::begin_epoch(loader.object, 1);
    expect_epoch("epoch 1", {4, 3, 1, 2, 0});
    subject::begin_epoch(loader.object, 1);
    expect_epoch("epoch 1 again", {4, 3, 1, 2, 0});
    subject::begin_epoch(loader.object, 0);
    expect_epoch("epoch 0 again", {4, 0, 3, 1, 2});
    // Epochs that differ in their upper halves alone, one after the other.
    constexpr std::uint64_t far = std::uint64_t{1} << 32;
    for (const std::uint64_t epoch : {far, std::uint64_t{0}, far + 5, std::uint64_t{5}, far + 5, far << 20}) {
        std::vector<std::uint64_t> order(5);
        reference::shuffled_order(options.seed, epoch, order);
        subject::begin_epoch(loader.object, epoch);
        expect_epoch("epochs beyond 2^32", {order.begin(), order.end()});
    }
    expect_orders_of_seeds(tokens, options);

    options.shuffle = false;
    const Loader sorted(tokens, options);
    for (const std::uint64_t epoch : {0, 1, 2}) {
        INFO("not shuffled, epoch = ", epoch);
        subject::begin_epoch(sorted.object, epoch);
        expect_batch(sorted, 1, tokens, {4, 6}, 4);
    }
}

TEST_CASE("a load that is refused writes nothing") {
    const Loader loader(counting(23), plain(4, 3, 3)); // batches of 3, 3 and 1 windows
    const Grid<TokenId> whole(3, 4), one(1, 4), none(0, 4);
    const auto late = [](std::int64_t k) { return Status::position_out_of_range(0, k, 3); };
    expect_refused(loader, 3, whole, whole, late(3));
    expect_refused(loader, 3, none, none, late(3));
    expect_refused(loader, huge, whole, whole, late(-1));
    constexpr std::size_t wraps = huge / 3 + 1; // times B it is 2^64 + 2
    expect_refused(loader, wraps, whole, whole, late(static_cast<std::int64_t>(wraps)));
    expect_refused(loader, 3, one, Grid<TokenId>(2, 2), late(3));
    expect_refused(loader, 2, whole, whole, {Code::shape_mismatch});
    expect_refused(loader, 0, one, one, {Code::shape_mismatch});
    for (const auto& [rows, cols] : {std::pair{2, 4}, {4, 4}, {3, 3}, {3, 5}, {4, 3}, {12, 1}, {0, 0}}) {
        const auto r = static_cast<std::size_t>(rows), c = static_cast<std::size_t>(cols);
        expect_refused(loader, 0, Grid<TokenId>(r, c), whole, {Code::shape_mismatch});
        expect_refused(loader, 1, whole, Grid<TokenId>(r, c), {Code::shape_mismatch});
    }
    const Loader dropping(counting(23), plain(4, 3, 3, true));
    expect_refused(dropping, 2, one, one, Status::position_out_of_range(0, 2, 2));
}

TEST_CASE("load at every boundary of its sizes, with gaps between rows") {
    // Rows of x and y that lie as far apart as the windows do in the text.
    const Tokens tokens = counting(40);
    const Options apart = plain(4, 7, 5);
    const Loader loader(tokens, apart);
    const Text text(tokens);
    Grid<TokenId> x(5, 4, 7), y(5, 4, 7), want_x = x, want_y = y;
    expect_status(loader.load(0, x, y), reference::make(text, apart)->load(0, want_x, want_y));
    expect_true("rows are those of the batch, and what lies between them stays", x == want_x && y == want_y);
    adverse_load().sizes();
    adverse_load().gaps();
}

TEST_CASE("load in special epochs, refused, and after other calls") {
    adverse_load().empty_axes();
    adverse_load().special_cases();
    adverse_load().history();
}

TEST_CASE("two loaders of one text, in any order of calls") {
    Random random = harness::random();
    for (int trial = 0; trial < 4; ++trial) {
        const Options options{.length = random.size(1, 6),
                              .stride = random.size(1, 7),
                              .batch = random.size(1, 4),
                              .shuffle = trial % 3 != 0,
                              .drop_last = trial % 2 != 0,
                              .seed = random.bits()};
        const std::size_t W = options.batch + random.size(0, 9);
        Tokens tokens((W - 1) * options.stride + options.length + 1 + random.size(0, options.stride - 1));
        for (TokenId& token : tokens)
            token = random.integer<TokenId>(-2'000'000'000, 2'000'000'000);
        Loaders both(tokens, options);
        run_commands<Loaders>(both, {command_epoch, command_epoch, command_refused}, ask_about_batches, 8,
                              random);
    }
    // Texts of other lengths under one seed, all at once: an order belongs to its number of windows.
    std::deque<Loaders> all;
    const Options options{
        .length = 3, .stride = 2, .batch = 4, .shuffle = true, .drop_last = false, .seed = random.bits()};
    for (const std::size_t windows : {19, 7, 30, 8})
        ask_about_batches(all.emplace_back(counting((windows - 1) * 2 + 4), options));
    for (Loaders& each : all)
        ask_about_batches(each);
    // One that is made while an equal one, alone of its kind, is in another epoch is in epoch 0.
    Loaders& both = all.front();
    subject::make.destroy(both.got[1].object);
    subject::begin_epoch(both.got[0].object, 5);
    both.want[0]->begin_epoch(5);
    expect_same_batch(both, 0, 0);
    both.got[1] = Loader(both.tokens, options);
    both.want[1] = reference::make(both.text, options);
    ask_about_batches(both);
    // A load that is refused for its shapes leaves nothing of its batch behind.
    const std::size_t batches = both.want[0]->batches();
    for (const bool of_other_shapes : {false, true}) {
        INFO("an epoch begins with a refused load, of other shapes = ", of_other_shapes);
        const std::uint64_t next = of_other_shapes ? 6 : 7;
        subject::begin_epoch(both.got[0].object, next);
        both.want[0]->begin_epoch(next);
        Grid<TokenId> x(of_other_shapes ? 9 : 4, 3), y(4, 3);
        expect_true("the load is refused", both.got[0].load(of_other_shapes ? 0 : batches, x, y) != Status{});
        expect_same_batch(both, 0, 0);
    }
    for (std::size_t before = 0; before < batches; ++before)
        for (std::size_t k = 0; k < batches; ++k) {
            INFO("batch ", before, ", then batch ", k, " of shapes that it has not, then as it is");
            expect_same_batch(both, 0, before);
            Grid<TokenId> x(9, 3), y(9, 3);
            expect_status(both.got[0].load(k, x, y), {Code::shape_mismatch});
            expect_untouched("x of a refused load", x);
            expect_same_batch(both, 0, k);
        }
    // Any batch of an epoch, and then any of a later one.
    std::uint64_t epoch = 0;
    for (std::size_t k = 0; k < batches; ++k)
        for (std::size_t j = 0; j < batches; ++j) {
            INFO("batch k = ", k, " of epoch ", epoch, ", then batch ", j, " of a later one");
            expect_same_batch(both, 0, k);
            for (std::size_t begun = 0; begun <= (k + j) % 3; ++begun) { // epochs of which nothing is loaded
                ++epoch;
                subject::begin_epoch(both.got[0].object, epoch);
                both.want[0]->begin_epoch(epoch);
            }
            expect_same_batch(both, 0, j);
        }
}

TEST_CASE("a text of more than 2^32 tokens" * large) {
    // 16 GiB, of which only what is written takes memory.
    constexpr std::size_t n = (std::size_t{1} << 32) + 9, S = std::size_t{1} << 22, W = 1'025;
    SparseGrid<TokenId> text(1, n);
    const Ids tokens = std::as_const(text).row(0);
    for (const std::size_t i :
         {std::size_t{0}, std::size_t{511}, std::size_t{512}, std::size_t{513}, W - 2, W - 1})
        for (std::size_t t = 0; t < 9; ++t)
            text.row(0)[i * S + t] = static_cast<TokenId>(1'000 * i + t);
    const Options options{
        .length = 8, .stride = S, .batch = W, .shuffle = true, .drop_last = true, .seed = 3};
    const auto lent = subject::lend(tokens);
    const auto loader = subject::make(lent, options);
    REQUIRE_MESSAGE(loader.valid(), "make returns no loader for a text that has windows");
    expect_equal("windows", subject::windows(loader), W);
    expect_place("the last window", subject::place_in(loader, lent, W - 1),
                 Place{(W - 1) * S, 8, (W - 1) * S + 1, 8});
    const Text own(tokens);
    const auto wanted = reference::make(own, options);
    Grid<TokenId> x(W, 8), y(W, 8), want_x = x, want_y = y;
    expect_status(subject::load(loader, 0, x, y), wanted->load(0, want_x, want_y));
    expect_identical("x", x, want_x);
    expect_identical("y", y, want_y);
}

TEST_CASE("thousands of epochs take no more memory than one" * large) {
    // An order of 512 KiB is shuffled in the cache; all of them are more than the program can have. The last
    // window's number needs more than 16 bits.
    constexpr std::size_t W = (std::size_t{1} << 16) + 1;
    constexpr std::uint64_t epochs = 2'500;
    const Tokens tokens = counting(W + 1);
    const Loader loader(tokens, {.length = 1, .stride = 1, .batch = W, .shuffle = true, .seed = 5});
    for (std::uint64_t epoch = 1; epoch <= epochs; ++epoch)
        subject::begin_epoch(loader.object, epoch);
    std::vector<std::uint64_t> order(W);
    reference::shuffled_order(5, epochs, order);
    expect_batch(loader, 0, tokens, {order.begin(), order.end()}, 1);
}

TEST_CASE("rows of a batch beyond element 2^32" * large) {
    adverse_load().far();
}

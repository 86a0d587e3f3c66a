#include "fixtures.h"

using namespace suite;

namespace {

auto adverse_last_logits() {
    return Adverse("last_logits", subject::last_logits, &reference::last_logits,
                   {{.name = "V", .ordinary = 6, .largest = 1'025}, // a warp a logit takes its time
                    {.name = "C", .ordinary = 3},
                    {.name = "B", .ordinary = 2, .largest = 257},
                    {.name = "T", .ordinary = 4}},
                   tensor_in("hidden", "B", "T", "C", factors(normal()), Checked::cols),
                   matrix_in("wte", "V", "C", factors(normal()), Checked::all),
                   matrix_out("logits", "B", "V"), stream("stream"))
        .bounds("logits", [](const auto& hidden, const auto& wte, const auto& logits, Stream) {
            std::vector<double> bounds(logits.rows * logits.cols);
            if (hidden.time == 0 || hidden.channels != wte.cols || logits.rows != hidden.batch ||
                logits.cols != wte.rows)
                return bounds;
            for (std::size_t i = 0; i < bounds.size(); ++i)
                bounds[i] = bound_of_logit({hidden.row(i / wte.rows, hidden.time - 1), hidden.channels},
                                           {wte.row(i % wte.rows), wte.cols});
            return bounds;
        });
}

} // namespace

TEST_CASE("the logits of the last position") {
    const Grid<float> wte(3, 2, {1, 2, 3, 4, 5, 6});
    const Cube<float> hidden(2, 2, 2, {9, 9, 1, 10, 9, 9, -1, 2});
    Grid<float> logits(2, 3);
    expect_status(subject::last_logits(hidden, wte, logits, Stream::standard), Status{});
    expect_identical("logits", logits, Grid<float>(2, 3, {21, 43, 65, 3, 5, 7}));
    Grid<float> empty(2, 3);
    expect_status(subject::last_logits(Cube<float>(2, 1, 0), Grid<float>(3, 0), empty, Stream::standard),
                  Status{});
    expect_identical("logits without channels", empty, filled(2, 3, 0));
}

TEST_CASE("random logits agree with the reference") {
    Random random = harness::random(); // two rows that do not touch, whatever sizes are drawn
    expect_logits(random_cube<float>(random, 2, 3, 5), random_grid<float>(random, 7, 5, 6), 9,
                  Stream::standard);
    for_random_sizes(12, {{"V", 1, 40}, {"C", 1, 70}, {"B", 1, 4}, {"T", 1, 4}, {"pad", 0, 3}},
                     [](const Sizes& size, Random& random) {
                         const auto hidden = random_cube<float>(random, size["B"], size["T"], size["C"]);
                         const auto wte =
                             random_grid<float>(random, size["V"], size["C"], size["C"] + size["pad"]);
                         expect_logits(hidden, wte, size["V"] + size["pad"] / 2, Stream::standard);
                     });
}

TEST_CASE("the head reads the table by neighbours") {
    constexpr std::size_t V = 60, C = 256;
    minimum_traffic((V * C + C + V) * sizeof(float));
    Random random = harness::random();
    expect_logits(random_cube<float>(random, 1, 2, C), random_grid<float>(random, V, C), V, Stream::standard);
}

TEST_CASE("a head of 768 channels") {
    Random random = harness::random();
    expect_logits(random_cube<float>(random, 2, 2, 768), random_grid<float>(random, 97, 768), 104,
                  Stream::standard);
}

TEST_CASE("logits in all sizes and circumstances") {
    adverse_last_logits().sizes();
    adverse_last_logits().gaps();
    adverse_last_logits().empty_axes();
    adverse_last_logits().special_cases();
    adverse_last_logits().also({{{"C", 2'051}}}).history(); // channels that several blocks may share
}

TEST_CASE("logits beyond element 2^32" * large) {
    adverse_last_logits().far();
}

TEST_CASE("last_logits, one token of GPT-2" * timed) {
    const std::size_t V = at_scale(50'257, 200), C = at_scale(768, 256);
    Random random = harness::random();
    const auto wte = random_grid<float>(random, V, C);
    time_calls("last_logits", [&] {
        expect_logits(random_cube<float>(random, 1, 1, C), wte, V, Stream::own);
        return (V * C + C + V) * sizeof(float);
    });
}

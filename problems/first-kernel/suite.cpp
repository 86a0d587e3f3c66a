#include "harness/suite.h"
#include "harness/adversity/adverse.h"
#include "harness/adversity/device.h"
#include "subject/proxies.h"

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

// n: number of elements
using namespace contract;
using namespace harness;

namespace {

/// Whole numbers from `first` on: each element differs from its neighbours, and sums are exact.
std::vector<float> counting(std::size_t n, float first) {
    std::vector<float> values(n);
    for (std::size_t i = 0; i < n; ++i)
        values[i] = first + static_cast<float>(i);
    return values;
}

/// Adds and compares every bit with the reference's.
void expect_sum(std::span<const float> tokens, std::span<const float> positions,
                Stream stream = Stream::standard) {
    INFO("n = ", tokens.size());
    Grid<float> out(1, tokens.size());
    Grid<float> want(1, tokens.size());
    subject::add(tokens, positions, out.row(0), stream);
    reference::add(tokens, positions, want.row(0), stream);
    expect_identical("out", out, want);
}

/// The same of n elements that tell their place.
void expect_sum_of(std::size_t n, float first = 1, Stream stream = Stream::standard) {
    std::vector<float> positions = counting(n, 0);
    for (float& value : positions)
        value *= 0.25F;
    expect_sum(counting(n, first), positions, stream);
}

auto adverse_add() {
    const Contents added{.ordinary = normal(),
                         .special = {{"denormals, both zeros and the largest numbers", any_number()}}};
    return Adverse("add", subject::add, &reference::add, {{.name = "n", .ordinary = 300}},
                   span_in("tokens", "n", added, Checked::nothing),
                   span_in("positions", "n", added, Checked::nothing), span_out("out", "n", Checked::nothing),
                   stream("stream"));
}

} // namespace

TEST_CASE("six sums") {
    const std::vector<float> tokens{10, 20, 30, 40, 50, 60};
    const std::vector<float> positions{0.5F, 0.25F, 0, -0.5F, 1, 2};
    Grid<float> out(1, 6);
    subject::add(tokens, positions, out.row(0), Stream::standard);
    expect_identical("out", out, Grid<float>(1, 6, {10.5F, 20.25F, 30, 39.5F, 51, 62}));
}

TEST_CASE("the last block is only partly needed") {
    for (const std::size_t n : {1, 31, 33, 127, 129, 255, 257, 1000})
        expect_sum_of(n);
}

TEST_CASE("every block has elements of its own") {
    for (const std::size_t n : {512, 1024, 2048, 6144})
        expect_sum_of(n);
}

TEST_CASE("nothing to add launches nothing") {
    Grid<float> out(1, 0);
    subject::add({}, {}, out.row(0), Stream::standard);
    expect_identical("out", out, Grid<float>(1, 0));
    expect_sum_of(3); // nor does the next call find an error that was left behind
}

TEST_CASE("random sizes agree with the reference") {
    for_random_sizes(12, {{"n", 1, 2'000}}, [](const Sizes& size, Random& random) {
        const auto tokens = random_grid<float>(random, 1, size["n"]);
        const auto positions = random_grid<float>(random, 1, size["n"]);
        expect_sum(tokens.row(0), positions.row(0));
    });
}

TEST_CASE("the work goes to the caller's stream") {
    for (const std::size_t n : {1, 100, 256, 700, 5000})
        expect_sum_of(n, 1, Stream::own);
}

TEST_CASE("a warp moves whole sectors") {
    // A fixed number of threads has one element each in the first, and many in the second.
    constexpr std::size_t few = 4'096, many = 40'000;
    minimum_traffic(3 * (few + many) * sizeof(float)); // two arrays read, one written
    expect_sum_of(few);
    expect_sum_of(many);
}

TEST_CASE("arrays may begin at any multiple of four bytes") {
    constexpr std::size_t long_size = 40'000; // of which as little moves for nothing as the addresses allow
    const auto expect_shifted = [&](std::size_t by_tokens, std::size_t by_positions) {
        const auto numbers = counting(long_size + 4, 1);
        minimum_traffic(3 * long_size * sizeof(float));
        expect_sum(std::span(numbers).subspan(by_tokens, long_size),
                   std::span(numbers).subspan(by_positions, long_size));
    };
    expect_shifted(1, 1);
    expect_shifted(0, 3);
    expect_shifted(2, 2);
    expect_shifted(0, 2);
    const auto tokens = counting(100, 1), positions = counting(100, 0.5F);
    for (const std::size_t shift : {1, 2, 3}) {
        Grid<float> out(1, 96);
        Grid<float> want(1, 96);
        const auto from_tokens = std::span(tokens).subspan(shift, 96);
        const auto from_positions = std::span(positions).subspan(4 - shift, 96);
        Grid<float> room(1, 96 + shift);
        subject::add(from_tokens, from_positions, room.row(0).subspan(shift), Stream::standard);
        std::ranges::copy(room.row(0).subspan(shift), out.row(0).begin());
        reference::add(from_tokens, from_positions, want.row(0), Stream::standard);
        expect_identical("out", out, want);
    }
}

TEST_CASE("every sum is one addition") {
    constexpr float most = std::numeric_limits<float>::max();
    constexpr float least = std::numeric_limits<float>::denorm_min();
    constexpr float infinite = std::numeric_limits<float>::infinity();
    const std::vector<float> numbers{0,     -0.0F,    least, -least,  0x1p-127F, most,
                                     -most, infinite, 3,     0x1p24F, -0x1p-1F,  0.1F};
    std::vector<float> tokens, positions; // each number with each
    for (const float token : numbers)
        for (const float position : numbers) {
            tokens.push_back(token);
            positions.push_back(position);
        }
    expect_sum(tokens, positions);

    // A group of zeros is added like others: -0 and +0 are +0.
    const std::vector<float> negative(64, -0.0F), positive(64, 0);
    expect_sum(negative, positive);
    expect_sum(positive, negative);
    expect_sum(negative, negative);

    const std::vector<float> undefined{std::numeric_limits<float>::quiet_NaN(), infinite, 2};
    const std::vector<float> other{1, -infinite, 3};
    Grid<float> out(1, 3);
    Grid<float> want(1, 3);
    out.fill(0.0F); // poison is a NaN, too
    subject::add(undefined, other, out.row(0), Stream::standard);
    reference::add(undefined, other, want.row(0), Stream::standard);
    expect_close("out", out, want, {.abs = 0, .rel = 0});
}

TEST_CASE("sums of every size") {
    adverse_add().sizes();
    adverse_add().empty_axes();
}

TEST_CASE("special numbers, another stream, other calls before") {
    adverse_add().special_cases();
    adverse_add().history();
}

TEST_CASE("a million elements") {
    // Above 2^20, and whole warps: who walks from the end to the beginning moves whole sectors, too.
    constexpr std::size_t n = 1'100'000;
    minimum_traffic(3 * n * sizeof(float)); // what is shared out among threads when there is much of it
    expect_sum_of(n);
}

TEST_CASE("one element more than a float can count" * large) {
    // A float rounds it down by one, and 65,535 blocks of 256 threads, in a thorough run of 1,024, do not
    // reach it.
    const std::size_t n = by_depth((std::size_t{1} << 24) + 1, std::size_t{65'535} * 1'024 + 1);
    std::vector<float> tokens(n), positions(n);
    for (std::size_t i = 0; i < n; ++i) {
        tokens[i] = static_cast<float>(i % 4'099);
        positions[i] = 0.25F * static_cast<float>(i / 4'099);
    }
    expect_sum(tokens, positions);
    adverse_add().far();
}

TEST_CASE("add, 33,554,432 elements" * timed) {
    const std::size_t n = at_scale(std::size_t{1} << 25, 4'096);
    Random random = harness::random();
    const auto positions = random_grid<float>(random, 1, n);
    auto tokens = random_grid<float>(random, 1, n);
    time_calls("add", [&] {
        std::ranges::rotate(tokens.row(0), tokens.row(0).begin() + 1);
        expect_sum(tokens.row(0), positions.row(0), Stream::own);
        return 3 * n * sizeof(float);
    });
}

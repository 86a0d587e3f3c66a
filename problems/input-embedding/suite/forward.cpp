#include "fixtures.h"

using namespace suite;

namespace {

/// One token, which is padding and so zeros, and sinusoidal positions: nothing in it is drawn.
Config positions_alone(std::size_t C, std::size_t P, float p) {
    return {.vocab_size = 1,
            .d_model = C,
            .max_positions = P,
            .dropout = p,
            .positions = Positions::sinusoidal,
            .padding_idx = 0};
}

/// `count` ids below V that jump about.
Grid<TokenId> jumping_ids(std::size_t B, std::size_t T, std::size_t V) {
    Grid<TokenId> ids(B, T);
    for (std::size_t n = 0; n < B * T; ++n)
        ids.cells()[n] = static_cast<TokenId>((n * n + 2 * n + 1) % V);
    return ids;
}

Status module_forward(Config config, Ids2D ids, std::size_t start, Tensor3<float> out) {
    const Module module = make_module(config);
    drawn = state_of(module, config);
    return subject::forward(module, ids, start, out);
}
Status wanted_forward(Config config, Ids2D ids, std::size_t start, Tensor3<float> out) {
    return loaded_reference(config, drawn)->forward(ids, start, out);
}

auto adverse_forward() {
    const Dim positions(
        [](const Extents& size) { return size["start"] + size["T"] + size["P - start - T"]; });
    return Adverse("forward", &module_forward, &wanted_forward,
                   {vocabulary,
                    channels,
                    batch,
                    time_steps,
                    {.name = "start", .ordinary = 1},
                    {.name = "P - start - T", .ordinary = 2, .least = 1}},
                   config_of(positions, Positions::sinusoidal), id_matrix("ids", "B", "T", "V"),
                   start("start", "start", "T", positions), tensor_out("out", "B", "T", "C"));
}

} // namespace

TEST_CASE("sinusoidal positions are a buffer in closed form") {
    const auto sinusoidal = [](std::size_t vocabulary, std::size_t width, std::size_t positions) {
        return Config{.vocab_size = vocabulary,
                      .d_model = width,
                      .max_positions = positions,
                      .dropout = 0,
                      .positions = Positions::sinusoidal};
    };
    const auto closed_form = [](std::size_t first, std::size_t count, std::size_t width) {
        Grid<double> rows(count, width);
        for (std::size_t p = 0; p < count; ++p)
            for (std::size_t c = 0; c < width; ++c) {
                const double phase =
                    static_cast<double>(first + p) /
                    std::pow(10'000.0, static_cast<double>(c / 2 * 2) / static_cast<double>(width));
                rows(p, c) = c % 2 == 0 ? std::sin(phase) : std::cos(phase);
            }
        return rows;
    };
    const Config config = sinusoidal(3, 7, 300); // an odd width ends with a sine
    const Module module = make_module(config);
    const std::vector<float> state = subject::state(module);
    if (!expect_equal("numbers in the state", state.size(), std::size_t{303 * 7})) return;
    expect_close("pe", Matrix<const float>(state.data() + 21, 300, 7), closed_form(0, 300, 7), {.abs = 1e-6});
    // Positions whose angles have more digits than a float.
    const Config far = sinusoidal(1, 6, 70'001);
    const std::vector<float> later = state_of(make_module(far), far);
    for (const std::size_t p : {500, 1'023, 4'097, 65'537, 70'000}) {
        INFO("position ", p);
        expect_close("a row of pe", Matrix<const float>(later.data() + 6 + p * 6, 1, 6), closed_form(p, 1, 6),
                     {.abs = 1e-6});
    }
    const Config turned = sinusoidal(1, 300, 7); // as many numbers as 300 positions of 7
    const std::vector<float> other = state_of(make_module(turned), turned);
    expect_close("pe of a module of another shape", Matrix<const float>(other.data() + 300, 7, 300),
                 closed_form(0, 7, 300), {.abs = 1e-6});
    expect_true("buffers() lists pe", subject::buffers(module) == buffers_of(config));
    expect_true("parameters() does not", subject::parameters(module) == parameters_of(config));
}

TEST_CASE("a token row plus a position row") {
    for (const Positions positions : {Positions::sinusoidal, Positions::learned}) {
        INFO("sinusoidal: ", positions == Positions::sinusoidal);
        const Config config{
            .vocab_size = 4, .d_model = 3, .max_positions = 5, .dropout = 0.5F, .positions = positions};
        const Module module = make_module(config);
        const std::vector<float> state = state_of(module, config);
        subject::set_training(module, false);
        const Grid<TokenId> ids(2, 3, {2, 0, 2, 1, 3, 0});
        for (const std::size_t start : {0, 1, 2}) { // 2 + 3 = P: the window ends at the last position
            INFO("start = ", start);
            expect_identical("out", forward(module, config, ids, start),
                             float_sums(config, state, ids, start));
        }
        expect_identical("state after forward", subject::state(module), state);
    }
    // Tokens that are zeros show the positions.
    const Config config = positions_alone(4, 6, 0.5F);
    const Module module = make_module(config);
    subject::set_training(module, false);
    const Grid<TokenId> ids(2, 3, {0, 0, 0, 0, 0, 0});
    expect_identical("out of padding", forward(module, config, ids, 3),
                     float_sums(config, state_of(module, config), ids, 3));
}

TEST_CASE("the scale reaches the token part alone") {
    for (const std::size_t C : {1, 3, 4, 16, 48}) {
        INFO("C = ", C);
        for (const Positions positions : {Positions::learned, Positions::sinusoidal}) {
            const Config config{.vocab_size = 5,
                                .d_model = C,
                                .max_positions = 6,
                                .dropout = 0,
                                .positions = positions,
                                .scale_by_sqrt_d = true};
            const Module module = make_module(config);
            subject::set_training(module, false);
            const Witness witness{config, as_double(state_of(module, config)), jumping_ids(2, 4, 5), 1};
            const Bounds bounds(witness, filled(2, 4, C, 1), false);
            expect_within("out", forward(module, config, witness.ids, 1), witness.out(), bounds.out);
        }
    }
}

TEST_CASE("dropout comes last and only in training") {
    for (const float p : {0.5F, 0.1F, 0.9F}) {
        INFO("p = ", p);
        const Config config = positions_alone(3, 8, p);
        const Module module = make_module(config, 11);
        expect_true("a new module is in training", subject::training(module));
        const Grid<TokenId> ids(2, 3, {0, 0, 0, 0, 0, 0});
        const Cube<float> sums = float_sums(config, state_of(module, config), ids, 2); // none of them is 0
        std::uint64_t offset = 0;
        const auto expect_masked = [&](const char* what) {
            expect_close(what, forward(module, config, ids, 2), dropped_from(sums, config, 11, offset),
                         {.rel = 4 * u});
            offset += 18;
        };
        const auto expect_plain = [&] {
            subject::set_training(module, false);
            expect_true("training() tells the mode", !subject::training(module));
            expect_identical("out in evaluation", forward(module, config, ids, 2), sums);
            subject::set_training(module, true);
            expect_true("training() tells the mode", subject::training(module));
        };
        expect_masked("out of the first training call");
        expect_masked("out of the second training call");
        expect_plain();
        Cube<float> out(2, 3, 3);
        expect_status(subject::forward(module, Grid<TokenId>(2, 3, {0, 0, 0, 0, 1, 0}), 0, out),
                      Status{Code::id_out_of_range, 4, 1, 1});
        expect_status(subject::forward(module, ids, 6, out), Status{Code::position_out_of_range, 2, 8, 8});
        expect_masked("out of the third training call, after evaluation and refused calls");
    }
    // uniform(20610118, 0) lies below 0.5 by less than a float can tell.
    const Config edge = positions_alone(3, 8, 0.5F);
    expect_identical(
        "a value that is dropped by 2^-26",
        forward(make_module(edge, 20'610'118), edge, Grid<TokenId>(1, 1, {0}), 2).row(0, 0).first(1),
        std::vector<float>{0});
    // Token and position are dropped together.
    const Config config = small();
    const Module module = make_module(config, 5);
    const Grid<TokenId> ids = jumping_ids(2, 4, 4);
    const Cube<float> sums = float_sums(config, state_of(module, config), ids, 1);
    expect_close("out with tokens and learned positions", forward(module, config, ids, 1),
                 dropped_from(sums, config, 5, 0), {.rel = 4 * u});
}

TEST_CASE("LayerNorm stands between the sum and dropout") {
    const auto expect_normalised = [](const Config& config, std::size_t T) {
        const Module module = make_module(config);
        const Witness witness{config, as_double(state_of(module, config)),
                              jumping_ids(2, T, config.vocab_size), 1};
        const Cube<float> ones = filled(2, T, config.d_model, 1);
        // In training the normalised values are dropped or divided by 1 - p: a dropped one stays 0.
        Cube<double> want = witness.out();
        for (std::size_t e = 0; e < want.cells().size(); ++e)
            want.cells()[e] = is_dropped(config, some_seed, 0, e) ? 0 : 2 * want.cells()[e];
        subject::set_training(module, false);
        expect_within("out in evaluation", forward(module, config, witness.ids, 1), witness.out(),
                      Bounds(witness, ones, false).out);
        subject::set_training(module, true);
        const Cube<float> out = forward(module, config, witness.ids, 1);
        expect_within("out in training", out, want, Bounds(witness, ones, true).out);
        for (std::size_t e = 0; e < out.cells().size(); ++e)
            if (is_dropped(config, some_seed, 0, e))
                if (!expect_equal("a dropped value", out.cells()[e], 0.0F)) break;
    };
    Config positions = positions_alone(8, 6, 0.5F);
    positions.layer_norm = true;
    expect_normalised(positions, 5);
    for (const std::size_t C : {2, 5, 16}) { // where the spread is 0.02, eps counts
        INFO("C = ", C);
        expect_normalised({.vocab_size = 7,
                           .d_model = C,
                           .max_positions = 6,
                           .dropout = 0.5F,
                           .scale_by_sqrt_d = C == 5,
                           .layer_norm = true},
                          5);
    }
    // A single channel is its own mean: what is left is the bias, which begins as 0.
    const Config narrow{.vocab_size = 2, .d_model = 1, .max_positions = 1, .dropout = 0, .layer_norm = true};
    expect_close("out with one channel", forward(make_module(narrow), narrow, Grid<TokenId>(2, 1, {1, 0})),
                 filled(2, 1, 1, 0), {.abs = 1e-30});
}

TEST_CASE("a prefix has the same rows as the whole") {
    for (const Positions positions : {Positions::learned, Positions::sinusoidal}) {
        const Config config{.vocab_size = 7,
                            .d_model = 5,
                            .max_positions = 16,
                            .dropout = 0.1F,
                            .positions = positions,
                            .layer_norm = true};
        INFO("sinusoidal: ", positions == Positions::sinusoidal);
        const Module module = make_module(config);
        subject::set_training(module, false);
        const std::vector<double> state = as_double(state_of(module, config));
        const Grid<TokenId> whole = jumping_ids(2, 16, 7);
        const Cube<float> out = forward(module, config, whole); // T = P: every position is used
        for (const auto& [start, length] :
             {std::pair<std::size_t, std::size_t>{0, 5}, {0, 1}, {5, 11}, {15, 1}}) {
            INFO("start = ", start, ", T = ", length);
            Grid<TokenId> piece(2, length, length + 3); // a window of a longer text
            for (std::size_t b = 0; b < 2; ++b)
                std::ranges::copy(whole.row(b).subspan(start, length), piece.row(b).begin());
            Cube<float> want(2, length, 5);
            for (std::size_t b = 0; b < 2; ++b)
                for (std::size_t t = 0; t < length; ++t)
                    std::ranges::copy(out.row(b, start + t), want.row(b, t).begin());
            Cube<double> apart = Bounds({config, state, piece, start}, filled(2, length, 5, 1), false).out;
            for (double& bound : apart.cells())
                bound *= 2; // each of the two may be off
            expect_within("rows of the piece", forward(module, config, piece, start), want, apart);
        }
        const Cube<float> swapped = forward(module, config, Grid<TokenId>(1, 2, {1, 4}));
        const Cube<float> other = forward(module, config, Grid<TokenId>(1, 2, {4, 1}));
        expect_true("tokens and positions both change the output",
                    !std::ranges::equal(swapped.row(0, 0), other.row(0, 0)) &&
                        !std::ranges::equal(swapped.row(0, 0), other.row(0, 1)));
    }
}

TEST_CASE("dropout keeps its promises at the ends") {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const Grid<TokenId> ids(2, 3, {2, 0, 2, 1, 3, 0});
    Config config = small();
    config.dropout = 0;
    const Module all = make_module(config);
    expect_identical("out in training, p = 0", forward(all, config, ids),
                     float_sums(config, state_of(all, config), ids, 0));

    config.dropout = 1;
    const Module none = make_module(config);
    expect_close("out, p = 1", forward(none, config, ids), filled(2, 3, 3, 0), {});
    expect_status(subject::backward(none, filled(2, 3, 3, infinity)), Status{});
    Grid<float> zero(4, 3);
    zero.fill(0);
    expect_close("gradient of wte, p = 1", gradient(none, {"wte", 4, 3}), zero, {});
    config.layer_norm = true;
    const Module none_normalised = make_module(config);
    expect_close("out with LayerNorm, p = 1", forward(none_normalised, config, ids), filled(2, 3, 3, 0), {});
    expect_status(subject::backward(none_normalised, filled(2, 3, 3, 1)), Status{});
    expect_close("gradient of wte with LayerNorm, p = 1", gradient(none_normalised, {"wte", 4, 3}), zero, {});
    config.layer_norm = false;

    // A number that equals p is kept: the first of this seed is 3 * 2^-53. Position 0 of one channel is
    // sin(0), position 1 is sin(1).
    constexpr std::uint64_t seed = 0xd09c044b37318edcU;
    for (const float p : {0x3p-53F, 0x1p-51F}) {
        const Config one = positions_alone(1, 2, p);
        const Module module = make_module(one, seed);
        const float sine = state_of(module, one).back();
        expect_identical("out where a number is near p", forward(module, one, Grid<TokenId>(1, 1, {0}), 1),
                         filled(1, 1, 1, p == 0x3p-53F ? sine : 0.0F));
    }

    // Gradients: where a value was dropped, not even an infinite one passes.
    config.dropout = 0.5F;
    const Module half = make_module(config, 3);
    const auto reference = reference::make(config, 3);
    const Grid<TokenId> all_two(3, 3, {2, 2, 2, 2, 2, 2, 2, 2, 2});
    Cube<float> dout(3, 3, 3);
    for (std::size_t e = 0; e < 27; ++e)
        dout.cells()[e] = is_dropped(config, 3, 0, e) ? infinity : 1.0F;
    forward(half, config, all_two);
    forward(*reference, config, all_two);
    expect_status(subject::backward(half, dout), reference->backward(dout));
    expect_same_gradients(half, *reference, config);
}

TEST_CASE("forward at every boundary of its sizes, with gaps between ids") {
    adverse_forward().sizes();
    adverse_forward().gaps();
}

TEST_CASE("forward with empty axes and every refusal") {
    adverse_forward().empty_axes();
    adverse_forward().special_cases();
}

TEST_CASE("forward after other calls") {
    adverse_forward().history();
}

TEST_CASE("forward of ids beyond element 2^32" * large) {
    // Tokens and positions that are one number in 32 bits, or in fewer.
    const Config many{
        .vocab_size = 65'537, .d_model = 2, .max_positions = 131'072, .dropout = 0, .layer_norm = true};
    std::vector<float> numbers = wavy(2 * (65'537 + 131'072 + 2));
    Grid<TokenId> powers(18, 3);
    for (std::size_t b = 0; b < 18; ++b)
        for (std::size_t t = 0; t < 3; ++t)
            powers(b, t) = b == 0 ? 0 : TokenId{1} << (b - 1);
    const Module module = make_loaded(many, numbers);
    const auto want = loaded_reference(many, numbers);
    for (const std::size_t start : {std::size_t{0}, std::size_t{65'535}, std::size_t{131'069}})
        expect_close("out of tokens that are powers of two", forward(module, many, powers, start),
                     forward(*want, many, powers, start), {.abs = 1e-4});
    adverse_forward().far();
}

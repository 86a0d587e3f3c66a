#include "fixtures.h"

using namespace suite;

namespace {

/// Mean, standard deviation and kurtosis of n values against N(0, std^2), each within 6 standard errors: a
/// false alarm in 5e8 tests.
void expect_normal(const std::string& name, std::span<const float> values, double std) {
    const double n = static_cast<double>(values.size());
    double mean = 0, square = 0, fourth = 0;
    for (const float value : values)
        mean += static_cast<double>(value) / n;
    for (const float value : values) {
        const double d = static_cast<double>(value) - mean;
        square += d * d / n;
        fourth += d * d * d * d / n;
    }
    expect_near("the mean of " + name, mean, 0, 6 * std / std::sqrt(n));
    expect_near("the standard deviation of " + name, std::sqrt(square), std, 6 * std / std::sqrt(2 * n));
    expect_near("the kurtosis of " + name, fourth / (square * square), 3, 6 * std::sqrt(24 / n));
}

/// Some gains are 0 and some biases large, so that what LayerNorm does to a row cannot be read off its
/// result.
void spoil_gain_and_bias(std::vector<float>& state, const Config& config, Random& random) {
    std::size_t at = 0;
    for (const TensorInfo& info : tensors_of(config)) {
        const std::string_view name = info.name;
        for (const std::size_t end = at + info.rows * info.cols; at < end; ++at)
            if ((name == "gain" || name == "bias") && random.chance(0.3))
                state[at] *= name == "gain" ? 0 : 1e5F;
    }
}

} // namespace

TEST_CASE("a configuration is checked field by field") {
    const auto expect_field = [](const Config& config, ConfigField field) {
        expect_equal("the field that is not allowed", subject::validate(config), field);
    };
    const Config good{.vocab_size = 4, .d_model = 3, .max_positions = 5};
    const auto with = [&](auto change) {
        Config config = good;
        change(config);
        return config;
    };
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    expect_field(Config{}, ConfigField::none);
    expect_field(good, ConfigField::none);
    expect_field(with([](Config& c) { c.vocab_size = 0; }), ConfigField::vocab_size);
    expect_field(with([](Config& c) { c.d_model = 0; }), ConfigField::d_model);
    expect_field(with([](Config& c) { c.max_positions = 0; }), ConfigField::max_positions);
    for (const float p : {-0.1F, 1.1F, nan, -std::numeric_limits<float>::infinity()})
        expect_field(with([p](Config& c) { c.dropout = p; }), ConfigField::dropout);
    for (const float p : {0.0F, 1.0F})
        expect_field(with([p](Config& c) { c.dropout = p; }), ConfigField::none);
    for (const std::int32_t kind : {-1, 2})
        expect_field(with([kind](Config& c) { c.positions = static_cast<Positions>(kind); }),
                     ConfigField::positions);
    expect_field(with([](Config& c) { c.positions = Positions::sinusoidal; }), ConfigField::none);
    for (const std::int64_t padding : {std::int64_t{4}, std::int64_t{1} << 32})
        expect_field(with([padding](Config& c) { c.padding_idx = padding; }), ConfigField::padding_idx);
    for (const std::int64_t padding : {std::int64_t{0}, std::int64_t{3}, std::int64_t{-1}, std::int64_t{-9}})
        expect_field(with([padding](Config& c) { c.padding_idx = padding; }), ConfigField::none);
    expect_field(with([](Config& c) { c.max_positions = 0, c.dropout = nan, c.padding_idx = 4; }),
                 ConfigField::max_positions); // the first of three
    expect_field(with([](Config& c) { c.dropout = 2, c.padding_idx = 4; }), ConfigField::dropout);
}

TEST_CASE("the sizes of GPT-2 are counted exactly") {
    struct Size {
        std::size_t d, plain, with_norm;
    };
    constexpr Size sizes[] = {{768, 39'383'808, 39'385'344},
                              {1024, 52'511'744, 52'513'792},
                              {1280, 65'639'680, 65'642'240},
                              {1600, 82'049'600, 82'052'800}};
    const auto expect_count = [](const Config& config, std::size_t parameters, std::size_t buffer_bytes) {
        const ParameterCount count = subject::count(config);
        expect_equal("parameters", count.parameters, parameters);
        expect_equal("bytes of parameters", count.parameter_bytes, 4 * parameters);
        expect_equal("bytes of buffers", count.buffer_bytes, buffer_bytes);
    };
    for (const auto& [d, plain, with_norm] : sizes) {
        INFO("d_model = ", d);
        expect_count({.d_model = d}, plain, 0);
        expect_count({.d_model = d, .layer_norm = true}, with_norm, 0);
        expect_count({.d_model = d, .positions = Positions::sinusoidal}, plain - 1024 * d, 4096 * d);
        // What else there is to configure makes no parameters and takes none.
        expect_count({.d_model = d, .padding_idx = 50'256}, plain, 0);
        expect_count(
            {.d_model = d, .dropout = 0, .scale_by_sqrt_d = true, .layer_norm = true, .padding_idx = 0},
            with_norm, 0);
    }
    // More parameters than an int can count, and more than 32 bits can.
    expect_count({.vocab_size = 256'000, .d_model = 12'288}, 3'158'310'912, 0);
    constexpr std::size_t large = (1ULL << 31) - 1, wide = 65'537;
    expect_count({.vocab_size = large, .d_model = wide, .max_positions = 1}, (large + 1) * wide, 0);
    expect_count({.vocab_size = 1, .d_model = large, .max_positions = wide, .layer_norm = true},
                 (1 + wide + 2) * large, 0);
    expect_count(
        {.vocab_size = 1, .d_model = wide, .max_positions = large, .positions = Positions::sinusoidal}, wide,
        4 * large * wide);
    // And odd ones of more digits than a double has.
    constexpr std::size_t odd = (1ULL << 30) + 1;
    expect_count({.vocab_size = large, .d_model = odd, .max_positions = 2, .layer_norm = true},
                 (large + 4) * odd, 0);
    expect_count(
        {.vocab_size = 2, .d_model = odd, .max_positions = large, .positions = Positions::sinusoidal},
        2 * odd, 4 * large * odd);
}

TEST_CASE("parameters and buffers have names and shapes") {
    for (const Positions positions : {Positions::learned, Positions::sinusoidal})
        for (const bool layer_norm : {false, true}) {
            const Config config{.vocab_size = 6,
                                .d_model = 4,
                                .max_positions = 5,
                                .positions = positions,
                                .scale_by_sqrt_d = layer_norm,
                                .layer_norm = layer_norm,
                                .padding_idx = layer_norm ? 5 : -1};
            INFO("sinusoidal: ", positions == Positions::sinusoidal, ", LayerNorm: ", layer_norm);
            const Module module = make_module(config);
            expect_true("parameters() lists wte, wpe if learned, gain and bias if there is a LayerNorm, in "
                        "this order",
                        subject::parameters(module) == parameters_of(config));
            expect_true("buffers() lists pe if positions are sinusoidal, and nothing else",
                        subject::buffers(module) == buffers_of(config));
            expect_equal("numbers in the state", subject::state(module).size(), size_of(tensors_of(config)));
            const ParameterCount count = subject::count(config);
            expect_equal("counted parameters", count.parameters, size_of(parameters_of(config)));
            expect_equal("counted bytes of buffers", count.buffer_bytes, 4 * size_of(buffers_of(config)));
        }
    for (const auto& [V, C, P, p] : {std::tuple<std::size_t, std::size_t, std::size_t, float>{0, 3, 5, 0.5F},
                                     {4, 0, 5, 0.5F},
                                     {4, 3, 0, 0.5F},
                                     {4, 3, 5, 1.5F}}) {
        INFO("V = ", V, ", d_model = ", C, ", P = ", P, ", dropout = ", p);
        const bool made =
            subject::make({.vocab_size = V, .d_model = C, .max_positions = P, .dropout = p}, some_seed)
                .valid();
        expect_true("make returns a null pointer for what validate refuses", !made);
    }
}

TEST_CASE("a new module has the spread of GPT-2") {
    const Config config{
        .vocab_size = 1000, .d_model = 64, .max_positions = 500, .layer_norm = true, .padding_idx = 17};
    const std::uint64_t number = harness::random().bits();
    const std::vector<float> state = subject::state(make_module(config, number));
    if (!expect_equal("numbers in the state", state.size(), std::size_t{96'128})) return;
    const std::span<const float> all(state);
    const auto wte = all.first(64'000);
    const auto wpe = all.subspan(64'000, 32'000);
    std::vector<float> trained(wte.begin(), wte.end());
    trained.erase(trained.begin() + 17 * 64, trained.begin() + 18 * 64);
    expect_normal("wte", trained, 0.02);
    expect_normal("wpe", wpe, 0.01);
    expect_identical("wte, row padding_idx", wte.subspan(17 * 64, 64), std::vector<float>(64, 0.0F));
    expect_identical("gain", all.subspan(96'000, 64), std::vector<float>(64, 1.0F));
    expect_identical("bias", all.subspan(96'064, 64), std::vector<float>(64, 0.0F));

    // The angle of one may be the radius of the next. For N(0, 1) min(x^2, 9) has mean 0.99500728 and
    // variance 1.9014515.
    const auto size_of = [](float x) {
        return (std::min(static_cast<double>(x) * x / (0.02 * 0.02), 9.0) - 0.99500728) /
               std::sqrt(1.9014515);
    };
    for (const std::size_t distance : {1, 2, 64}) {
        double sizes = 0;
        const auto pairs = static_cast<double>(trained.size() - distance);
        for (std::size_t i = 0; i + distance < trained.size(); ++i)
            sizes += size_of(trained[i]) * size_of(trained[i + distance]) / pairs;
        expect_near("the correlation of the sizes of neighbours in wte", sizes, 0, 6.5 / std::sqrt(pairs));
    }

    // Independent values of std 0.02 and 0.01 have products of mean 0 and std 0.0002.
    double product = 0;
    for (std::size_t i = 0; i < 32'000; ++i)
        product += static_cast<double>(wte[32'000 + i]) * static_cast<double>(wpe[i]) / 32'000;
    expect_near("the mean product of wte and wpe", product, 0, 6 * 0.0002 / std::sqrt(32'000.0));
    double first = 0;
    for (std::size_t i = 0; i < 64 * 17; ++i)
        first += static_cast<double>(wte[i]) * static_cast<double>(wpe[i]) / (64 * 17);
    expect_near("the mean product of their first rows", first, 0, 6 * 0.0002 / std::sqrt(64.0 * 17));

    expect_identical("state, made again from the same seed", subject::state(make_module(config, number)),
                     state);
    expect_true("another seed gives other numbers", subject::state(make_module(config, number + 1)) != state);
    // Also the first of each table. Numbers of at least 23 bits agree in five modules once in 1e27 times.
    const Config tiny{.vocab_size = 2, .d_model = 1, .max_positions = 1, .padding_idx = 0};
    std::set<float> tokens, positions;
    for (std::uint64_t i = 0; i < 5; ++i) {
        const std::vector<float> drawn = subject::state(make_module(tiny, number + i));
        if (!expect_equal("numbers in a tiny state", drawn.size(), std::size_t{3})) return;
        expect_equal("wte, row padding_idx 0", drawn[0], 0.0F);
        tokens.insert(drawn[1]);
        positions.insert(drawn[2]);
    }
    expect_true("the first numbers of both tables are drawn too", tokens.size() > 1 && positions.size() > 1);
    // A negative one is no token, whatever its lower bits say.
    for (const std::int64_t none :
         {std::int64_t{-1} << 8, std::int64_t{-1} << 16, std::int64_t{-1} << 31, std::int64_t{-1} << 32,
          (std::int64_t{-1} << 32) + 1, std::int64_t{-1} << 53, std::numeric_limits<std::int64_t>::min(),
          std::numeric_limits<std::int64_t>::min() + 1}) {
        Config negative = tiny;
        negative.padding_idx = none;
        negative.dropout = 0;
        CAPTURE(none);
        const Module module = make_module(negative, number);
        const std::vector<float> drawn = subject::state(module);
        expect_true("no row of wte is zeros", drawn[0] != 0 && drawn[1] != 0);
        forward(module, negative, Grid<TokenId>(2, 1, {0, 1}));
        expect_status(subject::backward(module, numbered(2, 1, 1)), Status{});
        expect_identical("gradient of wte", gradient(module, {"wte", 2, 1}), Grid<float>(2, 1, {1, 2}));
    }
    // Doubled, numbers of std 0.01 are to the bit what the same draws with 0.02 are.
    const Config few{.vocab_size = 5, .d_model = 8, .max_positions = 5};
    expect_own_numbers("the numbers of modules", [&](std::uint64_t seed) {
        const std::vector<float> all = state_of(make_module(few, seed), few);
        Drawn tables{{all.begin(), all.begin() + 40}, {all.begin() + 40, all.begin() + 80}};
        for (float& number : tables[1])
            number *= 2;
        return tables;
    });
}

TEST_CASE("what does not fit is refused and changes nothing") {
    const Config config = small();
    const Module module = make_module(config);
    const auto reference = reference::make(config, some_seed);
    const std::vector<float> state = state_of(module, config);
    const Cube<float> dout = numbered(1, 2, 3);
    expect_status(subject::backward(module, dout), Status{Code::invalid_argument}); // nothing to go back to
    const Grid<TokenId> good(1, 2, {3, 1});
    const auto expect_refused = [&](const Grid<TokenId>& ids, std::size_t start, Cube<float> out,
                                    Status status) {
        expect_status(subject::forward(module, ids, start, out), status);
        expect_untouched("out", out);
    };
    const auto sized = [](const Grid<TokenId>& ids) { return Cube<float>(ids.rows(), ids.cols(), 3); };
    const auto expect_all_refused = [&] {
        constexpr std::size_t largest = std::numeric_limits<std::size_t>::max();
        const Grid<TokenId> six(1, 6, {0, 1, 2, 3, 0, 9});
        expect_refused(six, 0, sized(six), Status{Code::position_out_of_range, 5, 5, 5});
        expect_refused(good, 4, sized(good), Status{Code::position_out_of_range, 1, 5, 5});
        expect_refused(good, 7, sized(good), Status{Code::position_out_of_range, 0, 7, 5});
        expect_refused(good, largest, sized(good), Status{Code::position_out_of_range, 0, -1, 5});
        for (const TokenId id : {-1, 4, std::numeric_limits<TokenId>::max()}) {
            const Grid<TokenId> bad(2, 2, {0, 1, id, -7});
            expect_refused(bad, 0, sized(bad), Status{Code::id_out_of_range, 2, id, 4});
        }
        const Grid<TokenId> early(2, 2, {-1, 1, 2, 9});
        expect_refused(early, 0, sized(early), Status{Code::id_out_of_range, 0, -1, 4});
        for (const auto& [B, T, C] : {std::array<std::size_t, 3>{1, 2, 4}, {2, 1, 3}, {2, 2, 3}, {1, 3, 3}}) {
            expect_refused(good, 9, Cube<float>(B, T, C), Status{Code::shape_mismatch});
            expect_status(subject::backward(module, numbered(B, T, C)),
                          reference->backward(numbered(B, T, C)));
        }
        Grid<float> none(4, 3);
        expect_status(subject::gradient(module, "wto", none), Status{Code::invalid_argument});
        expect_status(subject::gradient(module, "gain", none), Status{Code::invalid_argument});
        expect_status(subject::gradient(module, "wpe", none), Status{Code::shape_mismatch});
        expect_untouched("gradient", none);
    };
    expect_all_refused();
    expect_close("out of the first good call", forward(module, config, good),
                 dropped_from(float_sums(config, state, good, 0), config, some_seed, 0), {.rel = 4 * u});
    forward(*reference, config, good);
    expect_all_refused(); // and the first good call remains the last one
    expect_status(subject::backward(module, dout), reference->backward(dout));
    expect_same_gradients(module, *reference, config);
    expect_identical("state", subject::state(module), state);

    for (const auto& [B, T, start] : {std::array<std::size_t, 3>{0, 3, 2}, {2, 0, 2}, {2, 0, 5}}) {
        INFO("B = ", B, ", T = ", T, ", start = ", start);
        forward(module, config, Grid<TokenId>(B, T), start); // empty, and fine
        expect_status(subject::backward(module, Cube<float>(B, T, 3)), Status{});
        expect_same_gradients(module, *reference, config);
    }
}

TEST_CASE("modules have nothing in common") {
    const Config config = small();
    const Module first = make_module(config, 1);
    const Module second = make_module(config, 2);
    const std::vector<float> first_state = state_of(first, config);
    const std::vector<float> second_state = state_of(second, config);
    expect_true("other seeds give other tables", first_state != second_state);
    const auto first_reference = reference::make(config, 1);
    const auto second_reference = reference::make(config, 2);
    const Grid<TokenId> ids(2, 3, {2, 0, 2, 1, 3, 0});
    const Grid<TokenId> other(1, 2, {3, 1});
    std::uint64_t first_offset = 0, second_offset = 0;
    const auto expect_first = [&](const char* what, const Grid<TokenId>& some) {
        const Cube<double> want =
            dropped_from(float_sums(config, first_state, some, 0), config, 1, first_offset);
        expect_close(what, forward(first, config, some), want, {.rel = 4 * u});
        forward(*first_reference, config, some);
        first_offset += want.cells().size();
    };
    const auto expect_second = [&](const char* what, const Grid<TokenId>& some) {
        const Cube<double> want =
            dropped_from(float_sums(config, second_state, some, 0), config, 2, second_offset);
        expect_close(what, forward(second, config, some), want, {.rel = 4 * u});
        forward(*second_reference, config, some);
        second_offset += want.cells().size();
    };
    expect_first("first module, out", ids);
    expect_second("second module, out", other);
    expect_second("second module, out again", other);
    expect_first("first module, out again", ids);
    expect_second("second module, third out", ids);
    expect_status(subject::backward(first, numbered(2, 3, 3)), first_reference->backward(numbered(2, 3, 3)));
    expect_same_gradients(second, *second_reference, config);
    expect_same_gradients(first, *first_reference, config);
    subject::set_training(first, false);
    expect_true("the second module is still in training", subject::training(second));
    expect_identical("state of the first", subject::state(first), first_state);
    expect_identical("state of the second", subject::state(second), second_state);

    const Config sines{
        .vocab_size = 3, .d_model = 7, .max_positions = 9, .dropout = 0, .positions = Positions::sinusoidal};
    const Module before = make_module(sines, 1);
    const std::vector<float> untouched = state_of(before, sines);
    make_loaded(sines, std::vector<float>(12 * 7, 0.5F));
    expect_identical("state of a module, after another one was loaded", subject::state(before), untouched);
    expect_identical("state of a module that is made afterwards", state_of(make_module(sines, 1), sines),
                     untouched);

    // The same where no module has had that shape before.
    const Config wide{
        .vocab_size = 1, .d_model = 6, .max_positions = 8, .dropout = 0, .positions = Positions::sinusoidal};
    const Module loaded = make_loaded(wide, std::vector<float>(9 * 6, 0.5F));
    const std::vector<float> made = state_of(make_module(wide, 2), wide);
    const auto by_reference = reference::state(*reference::make(wide, 2));
    expect_close("pe of a module that is made afterwards", Matrix<const float>(made.data() + 6, 8, 6),
                 Matrix<const float>(by_reference.data() + 6, 8, 6), {.abs = 2e-6});
    expect_identical("state of the loaded one", subject::state(loaded), std::vector<float>(9 * 6, 0.5F));

    // One that is gone leaves nothing of what was loaded to the next one.
    for (const Config& each : {sines, wide, config}) {
        const std::vector<float> fresh_state = state_of(make_module(each, 3), each);
        const Module gone = make_loaded(each, std::vector<float>(fresh_state.size(), 0.25F), 3);
        subject::make.destroy(gone);
        expect_identical("state of a module after an equal one that is gone",
                         state_of(make_module(each, 3), each), fresh_state);
    }
    // One that is gone leaves its address to the next one.
    for (std::uint64_t seed = 3; seed < 9; ++seed) {
        const Module next = make_module(config, seed);
        expect_close("out of a module after others that are gone", forward(next, config, ids),
                     dropped_from(float_sums(config, state_of(next, config), ids, 0), config, seed, 0),
                     {.rel = 4 * u});
        subject::make.destroy(next);
    }
}

TEST_CASE("random configurations agree with the reference") {
    // S tokens came before, E more would fit behind. Each of the 16 combinations is tried with the same
    // sizes.
    for_random_sizes(4, {{"V", 1, 9}, {"C", 5, 17}, {"B", 2, 3}, {"T", 2, 5}, {"S", 1, 3}, {"E", 1, 2}},
                     [](const Sizes& size, Random& random) {
                         for (unsigned kind = 0; kind < 16; ++kind) {
                             Config config{.vocab_size = size["V"],
                                           .d_model = size["C"],
                                           .max_positions = size["S"] + size["T"] + size["E"],
                                           .dropout = 0.3F,
                                           .positions = kind & 1 ? Positions::sinusoidal : Positions::learned,
                                           .scale_by_sqrt_d = (kind & 2) != 0,
                                           .layer_norm = (kind & 4) != 0};
                             const bool training = (kind & 8) != 0;
                             const auto ids = random_id_grid(random, size["B"], size["T"], size["V"]);
                             if (random.chance(0.5)) config.padding_idx = ids(0, 0);
                             std::vector<float> state(size_of(tensors_of(config)));
                             for (float& value : state)
                                 value = static_cast<float>(random.normal());
                             spoil_gain_and_bias(state, config, random);
                             const std::uint64_t seed = random.bits();
                             const Module module = make_loaded(config, state, seed);
                             const Module another = make_loaded(config, state, seed + 1);
                             const auto reference = loaded_reference(config, state, seed);
                             subject::set_training(module, training);
                             reference->set_training(training);
                             const auto g = random_cube<float>(random, size["B"], size["T"], size["C"]);
                             const Bounds bounds({config, as_double(state), ids, size["S"]}, g, training);

                             expect_within("out", forward(module, config, ids, size["S"]),
                                           forward(*reference, config, ids, size["S"]), bounds.out);
                             forward(another, config, random_id_grid(random, 1, size["T"], size["V"]));
                             expect_status(subject::backward(module, g), reference->backward(g));
                             const auto infos = parameters_of(config);
                             for (std::size_t i = 0; i < infos.size(); ++i)
                                 expect_within(std::string("gradient of ") + infos[i].name,
                                               gradient(module, infos[i]), gradient(*reference, infos[i]),
                                               bounds.gradients[i]);
                         }
                     });
}

TEST_CASE("forward and modes in any order") {
    try_commands({forward_commands}, ask_about_numbers);
}

TEST_CASE("forward, backward and modes in any order") {
    try_commands(
        {forward_commands,
         {command_backward, command_backward, command_backward_of_another_shape, command_zero_gradients}},
        ask_about_gradients);
}

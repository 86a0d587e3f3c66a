#include "fixtures.h"

using namespace suite;

namespace {

Status module_backward(Config config, Ids2D ids, Tensor3<const float> dout, Matrix<float> dwte,
                       Matrix<float> dwpe) {
    const Module module = make_module(config);
    drawn = state_of(module, config);
    Cube<float> out(ids.rows, ids.cols, config.d_model);
    if (const Status status = subject::forward(module, ids, 0, out); status != Status{}) return status;
    if (const Status status = subject::backward(module, dout); status != Status{}) return status;
    if (const Status status = subject::gradient(module, "wte", dwte); status != Status{}) return status;
    return subject::gradient(module, "wpe", dwpe);
}
Status wanted_backward(Config config, Ids2D ids, Tensor3<const float> dout, Matrix<float> dwte,
                       Matrix<float> dwpe) {
    const auto module = loaded_reference(config, drawn);
    Cube<float> out(ids.rows, ids.cols, config.d_model);
    if (const Status status = module->forward(ids, 0, out); status != Status{}) return status;
    if (const Status status = module->backward(dout); status != Status{}) return status;
    if (const Status status = module->gradient("wte", dwte); status != Status{}) return status;
    return module->gradient("wpe", dwpe);
}

auto adverse_backward() {
    const Dim positions([](const Extents& size) { return size["T"] + size["P - T"]; });
    return Adverse("backward", &module_backward, &wanted_backward,
                   {vocabulary, channels, batch, time_steps, {.name = "P - T", .ordinary = 2, .least = 1}},
                   config_of(positions, Positions::learned), id_matrix("ids", "B", "T", "V"),
                   tensor_in("dout", "B", "T", "C", {}, Checked::all), matrix_out("dwte", "V", "C"),
                   matrix_out("dwpe", positions, "C"))
        .rule("dwte", {.kind = Rule::Kind::values})
        .rule("dwpe", {.kind = Rule::Kind::values});
}

} // namespace

TEST_CASE("gradients reach both tables and add up") {
    Config config = small();
    config.dropout = 0;
    config.padding_idx = 0;
    const Module module = make_module(config);
    const std::vector<float> state = subject::state(module);
    const Grid<TokenId> ids(2, 3, {2, 0, 2, 1, 2, 0});
    const Cube<float> dout = numbered(2, 3, 3); // rows 1 2 3, 4 5 6, ... 16 17 18
    const auto expect_times = [&](float times) {
        Grid<float> dwte(4, 3, {0, 0, 0, 10, 11, 12, 21, 24, 27, 0, 0, 0});
        Grid<float> dwpe(5, 3, {11, 13, 15, 17, 19, 21, 23, 25, 27, 0, 0, 0, 0, 0, 0});
        for (float& value : dwte.cells())
            value *= times;
        for (float& value : dwpe.cells())
            value *= times;
        expect_identical("gradient of wte", gradient(module, {"wte", 4, 3}), dwte);
        expect_identical("gradient of wpe", gradient(module, {"wpe", 5, 3}), dwpe);
    };
    expect_times(0);
    forward(module, config, ids);
    expect_status(subject::backward(module, dout), Status{});
    expect_times(1);
    expect_status(subject::backward(module, dout), Status{});
    expect_times(2);
    forward(module, config, ids);
    expect_times(2); // a forward call clears nothing
    expect_status(subject::backward(module, dout), Status{});
    expect_times(3);
    subject::zero_gradients(module);
    expect_times(0);
    expect_status(subject::backward(module, dout), Status{});
    expect_times(1);
    expect_identical("state after all of that", subject::state(module), state);

    // The factor of the way there is the factor of the way back, for tokens alone.
    const Config scaled{
        .vocab_size = 3, .d_model = 4, .max_positions = 2, .dropout = 0, .scale_by_sqrt_d = true};
    const Module wide = make_module(scaled);
    forward(wide, scaled, Grid<TokenId>(1, 2, {2, 2}));
    expect_status(subject::backward(wide, numbered(1, 2, 4)), Status{});
    expect_identical("gradient of wte, times sqrt(4)", gradient(wide, {"wte", 3, 4}),
                     Grid<float>(3, 4, {0, 0, 0, 0, 0, 0, 0, 0, 12, 16, 20, 24}));
    expect_identical("gradient of wpe, times sqrt(4)", gradient(wide, {"wpe", 2, 4}),
                     Grid<float>(2, 4, {1, 2, 3, 4, 5, 6, 7, 8}));

    // So do those of gain and bias: doubled where nothing is cleared in between. The second call adds the
    // same numbers, in any order, so the bound of the contract holds for each half.
    const Config normal{.vocab_size = 4, .d_model = 3, .max_positions = 5, .dropout = 0, .layer_norm = true};
    const Module layer = make_module(normal);
    forward(layer, normal, ids);
    expect_status(subject::backward(layer, dout), Status{});
    const Grid<float> gain = gradient(layer, {"gain", 1, 3}), bias = gradient(layer, {"bias", 1, 3});
    expect_identical("gradient of bias", bias, Grid<float>(1, 3, {51, 57, 63}));
    expect_status(subject::backward(layer, dout), Status{});
    expect_identical("gradient of bias after two calls", gradient(layer, {"bias", 1, 3}),
                     Grid<float>(1, 3, {102, 114, 126}));
    Grid<double> twice(1, 3);
    for (std::size_t c = 0; c < 3; ++c)
        twice(0, c) = 2 * static_cast<double>(gain(0, c));
    expect_close("gradient of gain after two calls", gradient(layer, {"gain", 1, 3}), twice,
                 {.abs = 2 * 12 * u * 63 * 3}); // 12 additions of terms below 63 sqrt(3) each

    // Names are compared whole.
    Grid<float> untouched(4, 3), row(1, 3);
    for (const char* name : {"", "w", "wt", "wtee", "WTE", "wte ", " wte", "wp", "pe", "tokens"}) {
        INFO("the name \"", std::string(name), "\"");
        expect_status(subject::gradient(layer, name, untouched), Status{Code::invalid_argument});
    }
    for (const char* name : {"g", "gai", "gains", "b", "bia", "biass"}) {
        INFO("the name \"", std::string(name), "\"");
        expect_status(subject::gradient(layer, name, row), Status{Code::invalid_argument});
    }
    expect_untouched("out of a refused gradient", untouched);
    expect_untouched("out of a refused gradient", row);

    // A buffer has no gradient, and training does not change it.
    const Config sines{
        .vocab_size = 3, .d_model = 7, .max_positions = 9, .dropout = 0, .positions = Positions::sinusoidal};
    const Module waves = make_module(sines);
    const std::vector<float> before = subject::state(waves);
    forward(waves, sines, Grid<TokenId>(1, 2, {1, 1}));
    expect_status(subject::backward(waves, filled(1, 2, 7, 1)), Status{});
    Grid<float> none(9, 7);
    expect_status(subject::gradient(waves, "pe", none), Status{Code::invalid_argument});
    expect_untouched("gradient of pe", none);
    expect_identical("state after backward", subject::state(waves), before);
}

TEST_CASE("gradients pass where values passed") {
    const Config config = small();
    // Without a LayerNorm, gradients do not depend on what the tables hold.
    const Module module = make_module(config, 5);
    const auto reference = reference::make(config, 5);
    const Grid<TokenId> ids(2, 3, {2, 0, 2, 1, 3, 0});
    const Grid<TokenId> others(1, 2, {3, 3});
    const Cube<float> dout = numbered(2, 3, 3); // whole numbers, divided by 1/2
    const auto both_modes = [&](bool training) {
        subject::set_training(module, training);
        reference->set_training(training);
    };
    const auto both_forward = [&](const Grid<TokenId>& some) {
        forward(module, config, some, 1);
        forward(*reference, config, some, 1);
    };
    const auto both_backward = [&](const Cube<float>& some) {
        expect_status(subject::backward(module, some), reference->backward(some));
        expect_same_gradients(module, *reference, config);
    };
    both_forward(ids);
    both_backward(dout);
    both_backward(dout);
    both_forward(others);
    both_forward(ids); // backward belongs to the last of several calls, and to its own mask
    both_modes(false);
    both_backward(dout); // and to the mode of that call
    both_forward(ids);
    both_modes(true);
    both_backward(dout);
    both_forward(others);
    both_backward(numbered(1, 2, 3));
}

TEST_CASE("finite differences give the same gradients") {
    const Config config{.vocab_size = 5,
                        .d_model = 6,
                        .max_positions = 5,
                        .dropout = 0.25F,
                        .scale_by_sqrt_d = true,
                        .layer_norm = true,
                        .padding_idx = 3};
    const Grid<TokenId> ids(2, 3, {4, 1, 3, 1, 0, 1});
    Random stream = harness::random();
    const auto g = random_cube<float>(stream, 2, 3, 6);
    const Module module = make_module(config);
    Witness witness{config, as_double(state_of(module, config)), ids, 1};
    const Bounds bounds(witness, g, true);
    forward(module, config, ids, 1);
    expect_status(subject::backward(module, g), Status{});
    // The error of a central difference is eps^2 / 6 times a third derivative, about 15 / D^3 for a row with
    // the root D, which is at least sqrt(1e-5): below 1e-6 for each place of a row. Rounding adds 100 terms
    // of 2^-53 / eps, about 1e-7.
    constexpr double eps = 1e-7;
    std::size_t at = 0;
    const auto infos = parameters_of(config);
    for (std::size_t i = 0; i < infos.size(); ++i) {
        Grid<double> want(infos[i].rows, infos[i].cols);
        Grid<double> bound = bounds.gradients[i];
        for (double& value : bound.cells())
            value += 1e-5;
        for (double& value : want.cells()) {
            double& weight = witness.state[at++];
            const double there = weight;
            weight = there + eps;
            const double above = witness.loss(g, some_seed, 0);
            weight = there - eps;
            const double below = witness.loss(g, some_seed, 0);
            weight = there;
            value = (above - below) / (2 * eps);
        }
        // Row padding_idx of wte is no parameter.
        if (i == 0) std::ranges::fill(want.row(3), 0.0);
        expect_within(std::string("gradient of ") + infos[i].name, gradient(module, infos[i]), want, bound);
    }
}

TEST_CASE("LayerNorm lets no common part of the gradient through") {
    const Config config{.vocab_size = 3, .d_model = 16, .max_positions = 4, .dropout = 0, .layer_norm = true};
    const Module module = make_module(config);
    const Grid<TokenId> ids(2, 4, {0, 1, 2, 1, 2, 2, 0, 1});
    const Cube<float> ones = filled(2, 4, 16, 1);
    const Bounds bounds({config, as_double(state_of(module, config)), ids, 0}, ones, false);
    forward(module, config, ids);
    // The sum of a normalised row is constant, so its gradient is zero but for rounding.
    expect_status(subject::backward(module, ones), Status{});
    const auto zero = [](std::size_t rows) {
        Grid<float> grid(rows, 16);
        grid.fill(0);
        return grid;
    };
    expect_within("gradient of wte for the sum", gradient(module, {"wte", 3, 16}), zero(3),
                  bounds.gradients[0]);
    expect_within("gradient of wpe for the sum", gradient(module, {"wpe", 4, 16}), zero(4),
                  bounds.gradients[1]);
    expect_identical("gradient of bias for the sum", gradient(module, {"bias", 1, 16}).row(0),
                     std::vector<float>(16, 8.0F));
}

TEST_CASE("gradients at every boundary of their sizes, with gaps between rows") {
    adverse_backward().sizes();
    adverse_backward().gaps();
}

TEST_CASE("gradients with empty axes and every refusal") {
    adverse_backward().empty_axes();
    adverse_backward().special_cases();
}

TEST_CASE("gradients after other calls") {
    adverse_backward().history();
    // Wherever the gradient of the outputs lies, and whichever stages there are.
    Random random = constructed();
    const std::size_t B = 3, T = 5, C = 39;
    std::vector<float> memory(4 + B * T * C);
    std::vector<float> numbers(B * T * C);
    for (float& number : numbers)
        number = static_cast<float>(random.normal());
    Grid<TokenId> ids(B, T);
    for (TokenId& id : ids.cells())
        id = static_cast<TokenId>(random.size(0, 3));
    for (const bool layer_norm : {false, true})
        for (const float dropout : {0.0F, 0.25F}) {
            const Config config{.vocab_size = 4,
                                .d_model = C,
                                .max_positions = T,
                                .dropout = dropout,
                                .layer_norm = layer_norm};
            const auto gradients_at = [&](std::size_t at) {
                const Module module = make_module(config, 5);
                forward(module, config, ids);
                std::ranges::copy(numbers, memory.begin() + static_cast<std::ptrdiff_t>(at));
                expect_status(subject::backward(module, {memory.data() + at, B, T, C}), Status{});
                std::vector<Grid<float>> all;
                for (const TensorInfo& info : parameters_of(config))
                    all.push_back(gradient(module, info));
                subject::make.destroy(module);
                return all;
            };
            const std::vector<Grid<float>> want = gradients_at(0);
            for (std::size_t at = 1; at < 4; ++at) {
                INFO("dout lies ", at, " elements further, layer_norm = ", layer_norm,
                     ", dropout = ", dropout);
                const std::vector<Grid<float>> got = gradients_at(at);
                for (std::size_t i = 0; i < want.size(); ++i)
                    expect_identical("the same gradient", got[i], want[i]);
            }
        }
}

TEST_CASE("gradients of ids and tables beyond element 2^32" * large) {
    adverse_backward().far();
}

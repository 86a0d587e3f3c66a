#include "fixtures.h"

using namespace suite;

namespace {

std::vector<float> small_state() {
    return {0, 0.25F, 0.5F, 1,  1.25F, 1.5F, 2,  2.25F, 2.5F, 3,  3.25F, 3.5F, //
            1, 2,     3,    11, 12,    13,   21, 22,    23,   31, 32,    33,   41, 42, 43};
}

std::string command_load_state(Modules& both, Random& random) {
    auto entries = tensors_of(both.config);
    std::vector<float> values;
    for (std::size_t i = size_of(entries); i-- > 0;)
        values.push_back(fractions()(random));
    std::reverse(entries.begin(),
                 entries.begin() + static_cast<std::ptrdiff_t>(random.size(0, entries.size())));
    const std::size_t kind = random.size(0, 4);
    if (kind == 0) values.pop_back();
    if (kind == 1) entries.pop_back();
    if (kind == 2) ++entries.back().rows;
    if (kind == 3) entries.push_back(entries.front());
    const Status want = both.want->load_state(entries, values);
    expect_status(subject::load_state(both.got, entries, values), want);
    return want == Status{} ? "load_state" : "a refused load_state";
}

/// The same ids before and after each tensor in turn has got other numbers.
void expect_nothing_kept_of_old_numbers() {
    Random random = constructed();
    const Grid<TokenId> ids(2, 3, {0, 1, 2, 2, 0, 1});
    for (const Positions kind : {Positions::learned, Positions::sinusoidal}) {
        const Config config{.vocab_size = 3,
                            .d_model = 5,
                            .max_positions = 3,
                            .dropout = 0,
                            .positions = kind,
                            .layer_norm = true};
        std::vector<float> numbers(size_of(tensors_of(config)));
        const auto others = [&] { return static_cast<float>(random.normal()); };
        std::ranges::generate(numbers, others);
        const Module module = make_loaded(config, numbers);
        const auto want = loaded_reference(config, numbers);
        const auto expect_all = [&](const std::string& when) {
            expect_close("out " + when, forward(module, config, ids), forward(*want, config, ids),
                         {.abs = 1e-4});
            const auto g = fractions_of(random, 2, 3, 5);
            expect_status(subject::backward(module, g), want->backward(g));
            for (const TensorInfo& info : parameters_of(config))
                expect_close(std::string("gradient of ") + info.name + " " + when, gradient(module, info),
                             gradient(*want, info), {.abs = 1e-2});
        };
        expect_all("before other numbers are loaded");
        auto begin = numbers.begin();
        for (const TensorInfo& info : tensors_of(config)) {
            const auto end = begin + static_cast<std::ptrdiff_t>(info.rows * info.cols);
            std::generate(begin, end, others);
            begin = end;
            expect_status(subject::load_state(module, tensors_of(config), numbers),
                          want->load_state(tensors_of(config), numbers));
            expect_all(std::string("after other numbers were loaded for ") + info.name);
        }
    }
}

} // namespace

TEST_CASE("a state makes the round trip bit for bit") {
    const Config config{.vocab_size = 3,
                        .d_model = 2,
                        .max_positions = 2,
                        .dropout = 0.5F,
                        .positions = Positions::sinusoidal,
                        .layer_norm = true};
    std::vector<float> state = wavy(14); // wte 6, gain 2, bias 2, pe 4
    state[0] = std::bit_cast<float>(0x7fc12345U);
    state[3] = -0.0F;
    state[7] = std::numeric_limits<float>::infinity();
    state[9] = std::bit_cast<float>(0x00000001U);
    for (const std::size_t i : {1, 6, 8, 10})                                         // one of each tensor
        state[i] = std::bit_cast<float>(0x7f812345U + static_cast<std::uint32_t>(i)); // signalling
    const Module module = make_loaded(config, state);
    expect_identical("state", subject::state(module), state);

    // Entries in another order, each with its own numbers.
    const std::vector<TensorInfo> turned{{"pe", 2, 2}, {"bias", 1, 2}, {"wte", 3, 2}, {"gain", 1, 2}};
    const std::vector<float> values{21, 22, 23, 24, 11, 12, 1, 2, 3, 4, 5, 6, 31, 32};
    expect_status(subject::load_state(module, turned, values), Status{});
    expect_identical("state, loaded in another order", subject::state(module),
                     std::vector<float>{1, 2, 3, 4, 5, 6, 31, 32, 11, 12, 21, 22, 23, 24});

    // Loading forgets the last forward call; mode and dropout's offset stay.
    const Grid<TokenId> ids(1, 2, {2, 0});
    const Module other = make_loaded(config, wavy(14));
    const auto reference = loaded_reference(config, wavy(14));
    const auto expect_same_out = [&](const char* what) {
        // Two numbers are normalised to almost +1 and -1, and divided by 1/2.
        expect_close(what, forward(other, config, ids), forward(*reference, config, ids), {.abs = 1e-4});
    };
    expect_same_out("out");
    expect_status(subject::load_state(other, tensors_of(config), subject::state(other)), Status{});
    reference->load_state(tensors_of(config), wavy(14));
    expect_status(subject::backward(other, numbered(1, 2, 2)), Status{Code::invalid_argument});
    expect_same_out("out after loading");
    subject::set_training(other, false);
    reference->set_training(false);
    expect_status(subject::load_state(other, tensors_of(config), wavy(14)), Status{});
    expect_same_out("out in evaluation after loading");
    expect_nothing_kept_of_old_numbers();
}

TEST_CASE("a loaded state gives the numbers of the statement") {
    const Module module = make_loaded(small(), small_state(), 7);
    const Grid<TokenId> ids(2, 3, {2, 0, 2, 1, 3, 0});
    // With seed 7: what is kept is doubled.
    expect_identical("out of the first training call", forward(module, small(), ids),
                     Cube<float>(2, 3, 3,
                                 {0.0F, 0.0F, 11.0F, //
                                  22.0F, 0.0F, 0.0F, //
                                  0.0F, 0.0F, 0.0F,  //

                                  0.0F, 0.0F, 9.0F,    //
                                  28.0F, 30.5F, 33.0F, //
                                  42.0F, 44.5F, 0.0F}));
    subject::set_training(module, false);
    expect_identical("out in evaluation", forward(module, small(), ids),
                     Cube<float>(2, 3, 3,
                                 {3.0F, 4.25F, 5.5F,    //
                                  11.0F, 12.25F, 13.5F, //
                                  23.0F, 24.25F, 25.5F, //

                                  2.0F, 3.25F, 4.5F,    //
                                  14.0F, 15.25F, 16.5F, //
                                  21.0F, 22.25F, 23.5F}));
    expect_identical(
        "out, start 2", forward(module, small(), Grid<TokenId>(1, 3, {2, 0, 2}), 2),
        Cube<float>(1, 3, 3, {23.0F, 24.25F, 25.5F, 31.0F, 32.25F, 33.5F, 43.0F, 44.25F, 45.5F}));

    // Tokens (1, 2, 3, 4), a small one with a deviation of 0.001, and one that is all 5; positions (0, 1, 2,
    // 3) and 0. (1, 3, 5, 7) has mean 4 and variance 5; 0.001 / sqrt(1e-6 + 1e-5) = 0.301511; a constant row
    // gives the bias.
    const Config config{.vocab_size = 3, .d_model = 4, .max_positions = 2, .dropout = 0, .layer_norm = true};
    const std::vector<float> state{1, 2, 3, 4, 0.001F, -0.001F, 0.001F, -0.001F, 5, 5, 5, 5, //
                                   0, 1, 2, 3, 0,      0,       0,      0,                   //
                                   1, 1, 2, 0, 0,      0,       10,     -1};
    const Module norm = make_loaded(config, state);
    const Bounds bounds({config, as_double(state), Grid<TokenId>(1, 2, {0, 1}), 0}, filled(1, 2, 4, 1),
                        false);
    expect_within("out of a LayerNorm", forward(norm, config, Grid<TokenId>(1, 2, {0, 1})),
                  Cube<double>(1, 2, 4,
                               {-1.34163944, -0.44721315, 10.8944263, -1.0, 0.30151134, -0.30151134,
                                10.60302269, -1.0}),
                  bounds.out);
    expect_close("out of a constant row", forward(norm, config, Grid<TokenId>(1, 2, {2, 2})).row(0, 1),
                 std::vector<float>{0.0F, 0.0F, 10.0F, -1.0F}, {.abs = 1e-30});

    // Where values are large and equal, a difference of large squares can lie below zero.
    const Config level{.vocab_size = 40, .d_model = 48, .max_positions = 1, .dropout = 0, .layer_norm = true};
    std::vector<float> large;
    for (std::size_t v = 0; v < 40; ++v)
        large.insert(large.end(), 48, 1'234'567.125F + 98'765.375F * static_cast<float>(v));
    large.insert(large.end(), 48, 0.0F); // the position
    large.insert(large.end(), 48, 1.0F); // the gain
    large.insert(large.end(), 48, 0.5F); // the bias
    Grid<TokenId> each(40, 1);
    for (std::size_t v = 0; v < 40; ++v)
        each(v, 0) = static_cast<TokenId>(v);
    const Witness witness{level, as_double(large), each, 0};
    expect_within("out of rows of large equal values", forward(make_loaded(level, large), level, each),
                  witness.out(), Bounds(witness, filled(40, 1, 48, 1), false).out);

    // A loaded sinusoidal table is the one that is added.
    const Config sines{
        .vocab_size = 3, .d_model = 7, .max_positions = 9, .dropout = 0, .positions = Positions::sinusoidal};
    const Module flat = make_loaded(sines, std::vector<float>(12 * 7, 0.5F));
    expect_identical("out with a loaded table, of 0.5", forward(flat, sines, Grid<TokenId>(1, 2, {1, 1})),
                     filled(1, 2, 7, 1.0F));
}

TEST_CASE("a state that does not fit is refused whole") {
    const Config config{.vocab_size = 3, .d_model = 2, .max_positions = 4, .dropout = 0};
    const std::vector<float> state = wavy(14);
    // A forward call before the state was loaded is none, and a refused one after it is none, either.
    {
        const Module reloaded = make_module(config);
        const Grid<TokenId> ids(1, 2, {0, 2});
        forward(reloaded, config, ids);
        expect_status(subject::load_state(reloaded, tensors_of(config), state), Status{});
        Cube<float> out(1, 2, 2), narrow(1, 2, 1);
        expect_status(subject::forward(reloaded, Grid<TokenId>(1, 2, {0, 3}), 0, out),
                      Status::id_out_of_range(1, 3, 3));
        expect_status(subject::backward(reloaded, filled(1, 2, 2, 1)), Status{Code::invalid_argument});
        expect_status(subject::forward(reloaded, ids, 0, narrow), Status{Code::shape_mismatch});
        expect_status(subject::backward(reloaded, filled(1, 2, 2, 1)), Status{Code::invalid_argument});
        expect_status(subject::forward(reloaded, ids, 3, out), Status::position_out_of_range(1, 4, 4));
        expect_status(subject::backward(reloaded, filled(1, 2, 2, 1)), Status{Code::invalid_argument});
    }
    const Module module = make_loaded(config, state);
    const auto expect_refused = [&](const std::vector<TensorInfo>& entries, std::size_t values,
                                    Status status) {
        expect_status(subject::load_state(module, entries, std::vector<float>(values, 9.0F)), status);
        expect_identical("state", subject::state(module), state);
    };
    const TensorInfo wte("wte", 3, 2);
    const TensorInfo wpe("wpe", 4, 2);
    const Status name{Code::invalid_argument};
    const auto at = [](Code code, std::size_t where) { return Status{code, where}; };
    expect_refused({wte, {"wpf", 4, 2}}, 14, at(Code::invalid_argument, 1));
    expect_refused({{"WTE", 3, 2}, wpe}, 14, name);
    expect_refused({wte, {"wp", 4, 2}}, 14, at(Code::invalid_argument, 1));
    expect_refused({wte, {"pe", 4, 2}}, 14, at(Code::invalid_argument, 1));
    expect_refused({wte, wpe, {"gain", 1, 2}}, 16, at(Code::invalid_argument, 2));
    expect_refused({wte, wpe, wte}, 20, at(Code::invalid_argument, 2));
    expect_refused({wte, wte, wpe}, 20, at(Code::invalid_argument, 1));
    expect_refused({wpe, wpe, wte}, 22, at(Code::invalid_argument, 1));
    expect_refused({wte, {"wpe", 2, 4}}, 14, at(Code::shape_mismatch, 1));
    expect_refused({{"wte", 4, 2}, wpe}, 16, at(Code::shape_mismatch, 0));
    expect_refused({{"wte", 2, 3}, {"gain", 1, 2}}, 8, at(Code::shape_mismatch, 0)); // the first counts
    expect_refused({wpe}, 8, at(Code::invalid_argument, 1));
    expect_refused({}, 0, at(Code::invalid_argument, 0));
    expect_refused({wte, wpe}, 13, at(Code::shape_mismatch, 2));
    expect_refused({wte, wpe}, 15, at(Code::shape_mismatch, 2));

    // Every list of up to three entries, each right or wrong by its name, its shape or an earlier one, with
    // as many values as it says, more, or fewer.
    const std::vector<TensorInfo> pieces{wte, wpe, {"wte", 2, 3}, {"wpe", 2, 4}, {"gain", 1, 2}, {"", 3, 2}};
    const auto other = reference::make(config, 1);
    std::vector<std::vector<TensorInfo>> lists{{}};
    for (std::size_t i = 0; i < lists.size(); ++i) {
        std::size_t values = 0;
        for (const TensorInfo& entry : lists[i])
            values += entry.rows * entry.cols;
        for (const std::size_t given : {values, values + 1, values / 2, std::size_t{0}}) {
            const Status want = reference::load_state(*other, lists[i], std::vector<float>(given, 9.0F));
            if (want != Status{}) expect_refused(lists[i], given, want);
        }
        for (const TensorInfo& piece : pieces)
            if (lists[i].size() < 3) {
                lists.push_back(lists[i]);
                lists.back().push_back(piece);
            }
    }

    // A refused state does not end the last forward call.
    forward(module, config, Grid<TokenId>(1, 1, {2}));
    expect_refused({wte}, 6, at(Code::invalid_argument, 1));
    expect_status(subject::backward(module, numbered(1, 1, 2)), Status{});
    expect_identical("gradient of wte", gradient(module, wte), Grid<float>(3, 2, {0, 0, 0, 0, 1, 2}));
}

TEST_CASE("a loaded state may hold any numbers") {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> wild = small_state();
    wild[6] = infinity; // token 2
    wild[7] = not_a_number;
    Config config = small();
    config.dropout = 1;
    expect_close("out, p = 1",
                 forward(make_loaded(config, wild), config, Grid<TokenId>(2, 3, {2, 0, 2, 1, 3, 0})),
                 filled(2, 3, 3, 0), {});

    // Dropped is 0 whatever the value; kept stays what it is.
    config.dropout = 0.5F;
    const Grid<TokenId> all_two(3, 3, {2, 2, 2, 2, 2, 2, 2, 2, 2});
    Cube<double> want = dropped_from(float_sums(config, small_state(), all_two, 0), config, 3, 0);
    for (std::size_t e = 0; e < 27; ++e)
        if (e % 3 < 2 && !is_dropped(config, 3, 0, e)) want.cells()[e] = e % 3 == 0 ? infinity : not_a_number;
    expect_close("out with Inf and NaN", forward(make_loaded(config, wild, 3), config, all_two), want,
                 {.rel = 4 * u});

    // What is kept may be 0 itself, and its gradient passes.
    const std::vector<float> zeros(small_state().size(), 0.0F);
    const Module zero = make_loaded(config, zeros, 3);
    const auto zero_reference = loaded_reference(config, zeros, 3);
    forward(zero, config, all_two);
    forward(*zero_reference, config, all_two);
    const Cube<float> dout = numbered(3, 3, 3);
    expect_status(subject::backward(zero, dout), zero_reference->backward(dout));
    expect_same_gradients(zero, *zero_reference, config);
    // Gradients outlive a state that is loaded, and become 0 after it, too.
    expect_status(subject::load_state(zero, tensors_of(config), zeros),
                  zero_reference->load_state(tensors_of(config), zeros));
    expect_same_gradients(zero, *zero_reference, config);
    subject::zero_gradients(zero);
    zero_reference->zero_gradients();
    expect_same_gradients(zero, *zero_reference, config);

    // A padding row that was loaded is used like any other.
    config = small();
    config.padding_idx = 2;
    const Module padded = make_loaded(config, small_state());
    subject::set_training(padded, false);
    expect_identical("out of a padding token", forward(padded, config, Grid<TokenId>(1, 1, {2})),
                     Cube<float>(1, 1, 3, {3.0F, 4.25F, 5.5F}));

    // Nor does it get a gradient, whatever reaches it.
    for (const float value : {infinity, not_a_number}) {
        const Module unmoved = make_loaded(config, small_state());
        subject::set_training(unmoved, false);
        forward(unmoved, config, Grid<TokenId>(1, 2, {2, 1}));
        expect_status(subject::backward(unmoved, filled(1, 2, 3, value)), Status{});
        const Grid<float> received = gradient(unmoved, {"wte", 4, 3});
        expect_true("the gradient of a padding row is 0",
                    std::ranges::all_of(received.row(2), [](float x) { return x == 0; }),
                    "a padding row gets a gradient");
        expect_true("that of another row is not", !(received(1, 0) == 0));
    }

    // 10,000 + (0 ... 7): sums, distances and squares of distances are exact in float, so only eps, root and
    // quotient round, by less than 8 u of 1.5. Squares of the values themselves are not exact.
    const Config far{.vocab_size = 1, .d_model = 8, .max_positions = 1, .dropout = 0, .layer_norm = true};
    std::vector<float> steep(32, 0.0F);
    for (std::size_t c = 0; c < 8; ++c) {
        steep[c] = 10'000 + static_cast<float>(c);
        steep[16 + c] = 1;
    }
    const Witness witness{far, as_double(steep), Grid<TokenId>(1, 1, {0}), 0};
    expect_close("out of a row far from zero", forward(make_loaded(far, steep), far, witness.ids),
                 witness.out(), {.abs = 12 * u});
    // A NaN makes its row NaN, however equal the others are, and so does infinity, less infinity.
    for (const float odd : {not_a_number, infinity}) {
        for (std::size_t c = 0; c < 8; ++c)
            steep[c] = c == 5 ? odd : 2;
        const Cube<float> none = forward(make_loaded(far, steep), far, witness.ids);
        for (const float value : none.cells())
            expect_true("a row of equal values and one that is not finite becomes NaN", is_own_nan(value));
    }

    // A single channel is its own mean: what is left is the bias.
    const Config narrow{.vocab_size = 2, .d_model = 1, .max_positions = 1, .dropout = 0, .layer_norm = true};
    expect_close("out with one channel",
                 forward(make_loaded(narrow, {3, -5, 0.5F, 2, 0.75F}), narrow, Grid<TokenId>(2, 1, {1, 0})),
                 filled(2, 1, 1, 0.75F), {.abs = 1e-30});
}

TEST_CASE("loaded states and all the rest in any order") {
    try_commands({forward_commands,
                  {command_backward, command_backward, command_backward_of_another_shape,
                   command_zero_gradients, command_load_state}},
                 ask_about_gradients);
}

#pragma once

// What the tests of this suite share.

#include "harness/adversity/adverse.h"
#include "harness/adversity/commands.h"
#include "harness/adversity/seeds.h"
#include "harness/recorder.h"
#include "harness/suite.h"
#include "subject/proxies.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

// V: vocabulary size, P: positions, C: channels, B: batch, T: time (tokens of a sequence)
using namespace contract;
using namespace harness;

// No test of a stage (statement.md, "Your task") calls a function of a later one. Until load_state exists,
// tables hold what `make` drew, and tests read them through state(). Where the numbers must not depend on how
// they were drawn, the module has one token, which is padding and so a row of zeros, and sinusoidal
// positions.

namespace suite {

using Config = InputEmbeddingConfig;
using Module = subject::Object<InputEmbedding>;

constexpr double u = 0x1p-24; ///< the relative error of one float operation
constexpr std::uint64_t some_seed = 7;

/// Which tensors a module has, parameters first, then buffers.
inline std::vector<TensorInfo> parameters_of(const Config& config) {
    std::vector<TensorInfo> infos{{"wte", config.vocab_size, config.d_model}};
    if (config.positions == Positions::learned)
        infos.emplace_back("wpe", config.max_positions, config.d_model);
    if (config.layer_norm) {
        infos.emplace_back("gain", 1, config.d_model);
        infos.emplace_back("bias", 1, config.d_model);
    }
    return infos;
}
inline std::vector<TensorInfo> buffers_of(const Config& config) {
    if (config.positions == Positions::learned) return {};
    return {{"pe", config.max_positions, config.d_model}};
}
inline std::vector<TensorInfo> tensors_of(const Config& config) {
    auto infos = parameters_of(config);
    const auto buffers = buffers_of(config);
    infos.insert(infos.end(), buffers.begin(), buffers.end());
    return infos;
}
inline std::size_t size_of(const std::vector<TensorInfo>& infos) {
    std::size_t size = 0;
    for (const TensorInfo& info : infos)
        size += info.rows * info.cols;
    return size;
}

inline Module make_module(const Config& config, std::uint64_t seed = some_seed) {
    const Module module = subject::make(config, seed);
    REQUIRE_MESSAGE(module.valid(), "make returns no module for a valid configuration");
    return module;
}
/// All numbers of a module, in the order of tensors_of().
inline std::vector<float> state_of(const Module& module, const Config& config) {
    std::vector<float> state = subject::state(module);
    REQUIRE_MESSAGE(state.size() == size_of(tensors_of(config)),
                    "state() returns other than one number for each element of the tensors");
    return state;
}
/// A module with these numbers, in the order of tensors_of().
inline Module make_loaded(const Config& config, const std::vector<float>& values,
                          std::uint64_t seed = some_seed) {
    const Module module = make_module(config, seed);
    expect_status(subject::load_state(module, tensors_of(config), values), Status{});
    return module;
}
inline std::unique_ptr<InputEmbedding>
loaded_reference(const Config& config, const std::vector<float>& values, std::uint64_t seed = some_seed) {
    auto module = reference::make(config, seed);
    reference::load_state(*module, tensors_of(config), values);
    return module;
}

inline Cube<float> forward(const Module& module, const Config& config, const Grid<TokenId>& ids,
                           std::size_t start = 0) {
    Cube<float> out(ids.rows(), ids.cols(), config.d_model);
    expect_status(subject::forward(module, ids, start, out), Status{});
    return out;
}
inline Cube<float> forward(InputEmbedding& module, const Config& config, const Grid<TokenId>& ids,
                           std::size_t start = 0) {
    Cube<float> out(ids.rows(), ids.cols(), config.d_model);
    reference::forward(module, ids, start, out);
    return out;
}
inline Grid<float> gradient(const Module& module, const TensorInfo& info) {
    Grid<float> values(info.rows, info.cols);
    expect_status(subject::gradient(module, info.name, values), Status{});
    return values;
}
inline Grid<float> gradient(const InputEmbedding& module, const TensorInfo& info) {
    Grid<float> values(info.rows, info.cols);
    reference::gradient(module, info.name, values);
    return values;
}
/// All gradients, bit for bit. The numbers are such that every order of additions gives the same floats.
inline void expect_same_gradients(const Module& module, const InputEmbedding& want, const Config& config) {
    for (const TensorInfo& info : parameters_of(config))
        expect_identical(std::string("gradient of ") + info.name, gradient(module, info),
                         gradient(want, info));
}

inline Cube<float> filled(std::size_t batch, std::size_t time, std::size_t channels, float value) {
    Cube<float> cube(batch, time, channels);
    cube.fill(value);
    return cube;
}
/// 1, 2, 3, ...
inline Cube<float> numbered(std::size_t batch, std::size_t time, std::size_t channels) {
    Cube<float> cube(batch, time, channels);
    float value = 0;
    for (float& element : cube.cells())
        element = ++value;
    return cube;
}

/// Four tokens, five positions, three channels: the tables of the statement, which are those of
/// learned-positions.
inline Config small() {
    return {.vocab_size = 4, .d_model = 3, .max_positions = 5, .dropout = 0.5F};
}

/// Token plus position, where no factor is asked for: one float addition an element.
inline Cube<float> float_sums(const Config& config, const std::vector<float>& state, const Grid<TokenId>& ids,
                              std::size_t start) {
    const std::size_t C = config.d_model;
    const std::size_t positions = config.positions == Positions::learned
                                      ? config.vocab_size * C
                                      : state.size() - config.max_positions * C;
    Cube<float> sums(ids.rows(), ids.cols(), C);
    for (std::size_t b = 0; b < ids.rows(); ++b)
        for (std::size_t t = 0; t < ids.cols(); ++t)
            for (std::size_t c = 0; c < C; ++c)
                sums(b, t, c) = state[static_cast<std::size_t>(ids(b, t)) * C + c] +
                                state[positions + (start + t) * C + c];
    return sums;
}

/// Smooth numbers between -1 and 1 that do not depend on the seed.
inline std::vector<float> wavy(std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = static_cast<float>(std::sin(1.0 + 7.3 * static_cast<double>(i)));
    return values;
}

/// Whether the contract drops element e of a training call.
inline bool is_dropped(const Config& config, std::uint64_t seed, std::uint64_t offset, std::size_t e) {
    return uniform(seed, offset + e) < static_cast<double>(config.dropout);
}

/// What dropout leaves of `values` in the training call that begins at `offset`.
inline Cube<double> dropped_from(const Cube<float>& values, const Config& config, std::uint64_t seed,
                                 std::uint64_t offset) {
    Cube<double> left(values.batch(), values.time(), values.channels());
    for (std::size_t e = 0; e < values.cells().size(); ++e)
        left.cells()[e] = is_dropped(config, seed, offset, e) ? 0.0
                                                              : static_cast<double>(values.cells()[e]) /
                                                                    (1 - static_cast<double>(config.dropout));
    return left;
}

/// The module in double, straight from its definition; the witness besides the reference.
struct Witness {
    Config config;
    std::vector<double> state; ///< in the order of tensors_of()
    Grid<TokenId> ids;
    std::size_t start = 0;

    double factor() const {
        return config.scale_by_sqrt_d ? std::sqrt(static_cast<double>(config.d_model)) : 1;
    }
    double token(std::size_t n, std::size_t c) const {
        const auto id = static_cast<std::size_t>(ids(n / ids.cols(), n % ids.cols()));
        return factor() * state[id * config.d_model + c];
    }
    /// Where the position table, gain and bias begin.
    std::size_t second() const { return config.vocab_size * config.d_model; }
    std::size_t norm() const {
        return second() +
               (config.positions == Positions::learned ? config.max_positions * config.d_model : 0);
    }
    double position(std::size_t n, std::size_t c) const {
        const std::size_t at = config.positions == Positions::learned
                                   ? second()
                                   : norm() + (config.layer_norm ? 2 * config.d_model : 0);
        return state[at + (start + n % ids.cols()) * config.d_model + c];
    }
    double gain(std::size_t c) const { return config.layer_norm ? state[norm() + c] : 1; }
    double bias(std::size_t c) const { return config.layer_norm ? state[norm() + config.d_model + c] : 0; }

    struct Row {
        std::vector<double> x, normal, y;
        double deviation = 0; ///< sqrt(variance + eps)
        double largest = 0;   ///< of |token| + |position|
    };
    Row row(std::size_t n) const {
        const std::size_t C = config.d_model;
        Row row{std::vector<double>(C), std::vector<double>(C), std::vector<double>(C)};
        double mean = 0;
        double variance = 0;
        for (std::size_t c = 0; c < C; ++c) {
            row.x[c] = token(n, c) + position(n, c);
            row.largest = std::max(row.largest, std::abs(token(n, c)) + std::abs(position(n, c)));
            mean += row.x[c] / static_cast<double>(C);
        }
        for (const double x : row.x)
            variance += (x - mean) * (x - mean) / static_cast<double>(C);
        row.deviation = std::sqrt(variance + 1e-5);
        for (std::size_t c = 0; c < C; ++c) {
            row.normal[c] = (row.x[c] - mean) / row.deviation;
            row.y[c] = config.layer_norm ? gain(c) * row.normal[c] + bias(c) : row.x[c];
        }
        return row;
    }
    /// What comes out in evaluation.
    Cube<double> out() const {
        Cube<double> out(ids.rows(), ids.cols(), config.d_model);
        for (std::size_t n = 0; n < ids.rows() * ids.cols(); ++n)
            std::ranges::copy(row(n).y, out.row(n / ids.cols(), n % ids.cols()).begin());
        return out;
    }
    /// <out, g> of a training call.
    double loss(const Cube<float>& g, std::uint64_t seed, std::uint64_t offset) const {
        double sum = 0;
        for (std::size_t n = 0; n < ids.rows() * ids.cols(); ++n) {
            const Row values = row(n);
            for (std::size_t c = 0; c < config.d_model; ++c)
                if (const std::size_t e = n * config.d_model + c; !is_dropped(config, seed, offset, e))
                    sum += values.y[c] / (1 - static_cast<double>(config.dropout)) *
                           static_cast<double>(g.cells()[e]);
        }
        return sum;
    }
};

/// The bounds of the contract: how far floats may lead away from the exact values. x is off by 3u of its
/// largest term X; a mean of C floats by another C u X; so (x - mean) / deviation, whose absolute value is at
/// most sqrt(C), by `normal`, with r = X / deviation, at least 1. The gradient through LayerNorm has at most
/// 2 + sqrt(C) times what comes in, divided by the deviation, and its three terms each inherit that error. n
/// additions add n u of what is summed.
struct Bounds {
    Cube<double> out;
    std::vector<Grid<double>> gradients; ///< in the order of parameters_of()

    Bounds(const Witness& w, const Cube<float>& g, bool training)
        : out(w.ids.rows(), w.ids.cols(), w.config.d_model) {
        for (const TensorInfo& info : parameters_of(w.config))
            gradients.emplace_back(info.rows, info.cols).fill(1e-30);
        const std::size_t C = w.config.d_model;
        const std::size_t rows = w.ids.rows() * w.ids.cols();
        const double kept = training ? 1 / (1 - static_cast<double>(w.config.dropout)) : 1;
        const double root = 1 + std::sqrt(static_cast<double>(C));
        for (std::size_t n = 0; n < rows; ++n) {
            const Witness::Row row = w.row(n);
            const double normal =
                2 * root * static_cast<double>(C + 8) * u * std::max(1.0, row.largest / row.deviation);
            double incoming = 0;
            for (std::size_t c = 0; c < C; ++c)
                incoming = std::max(incoming,
                                    kept * std::abs(w.gain(c) * static_cast<double>(g.cells()[n * C + c])));
            double off = 8 * u * incoming;
            double size = incoming;
            if (w.config.layer_norm) {
                size = incoming / row.deviation * (1 + root);
                off = 4 * size * normal;
            }
            const double sum = off + static_cast<double>(rows + 8) * u * size;
            const std::size_t b = n / w.ids.cols();
            const std::size_t t = n % w.ids.cols();
            for (std::size_t c = 0; c < C; ++c) {
                out(b, t, c) =
                    kept * (w.config.layer_norm ? std::abs(w.gain(c)) * normal +
                                                      8 * u * (std::abs(row.y[c]) + std::abs(w.bias(c)))
                                                : 12 * u * row.largest);
                gradients[0](static_cast<std::size_t>(w.ids(b, t)), c) += w.factor() * sum;
                std::size_t next = 1;
                if (w.config.positions == Positions::learned) gradients[next++](w.start + t, c) += sum;
                if (!w.config.layer_norm) continue;
                const double direct = kept * std::abs(static_cast<double>(g(b, t, c)));
                gradients[next](0, c) += direct * (normal + static_cast<double>(rows + 8) * u * root);
                gradients[next + 1](0, c) += direct * static_cast<double>(rows + 8) * u;
            }
        }
    }
};

inline std::vector<double> as_double(const std::vector<float>& values) {
    return {values.begin(), values.end()};
}

/// Multiples of 1/64: with a dropout of 1/2 and without LayerNorm, gradients made of them are exact.
inline Cube<float> fractions_of(Random& random, std::size_t B, std::size_t T, std::size_t C) {
    Cube<float> cube(B, T, C);
    for (float& value : cube.cells())
        value = fractions()(random);
    return cube;
}

/// A module of the submission and the reference's with the same numbers.
struct Modules {
    Config config;
    Module got;
    std::unique_ptr<InputEmbedding> want;
    std::size_t B = 0, T = 0; ///< of the last forward call

    Modules(const Config& config_, std::uint64_t seed)
        : config(config_), got(make_module(config, seed)),
          want(loaded_reference(config, state_of(got, config), seed)) {}
};

inline std::string command_forward(Modules& both, Random& random) {
    const Config& config = both.config;
    const std::size_t P = config.max_positions, T = random.size(0, P), start = random.size(0, P - T);
    const auto ids = random_id_grid(random, random.size(0, 3), T, config.vocab_size);
    Cube<float> got(ids.rows(), T, config.d_model), want(ids.rows(), T, config.d_model);
    expect_status(subject::forward(both.got, ids, start, got), both.want->forward(ids, start, want));
    expect_identical("out of forward", got, want);
    both.B = ids.rows(), both.T = T;
    return "forward of " + std::to_string(ids.rows()) + " x " + std::to_string(T) + " ids";
}
inline std::string command_refused_forward(Modules& both, Random& random) {
    const Config& config = both.config;
    const std::size_t P = config.max_positions, T = random.size(1, P);
    auto ids = random_id_grid(random, 2, T, config.vocab_size);
    std::size_t start = 0, width = config.d_model;
    const std::size_t kind = random.size(0, 2);
    if (kind == 0) ++width;
    if (kind == 1) start = P - T + 1;
    if (kind == 2) ids(1, T - 1) = static_cast<TokenId>(config.vocab_size);
    Cube<float> got(2, T, width), want(2, T, width);
    expect_status(subject::forward(both.got, ids, start, got), both.want->forward(ids, start, want));
    expect_untouched("out of a refused forward", got);
    return "a refused forward";
}
inline std::string command_mode(Modules& both, Random& random) {
    const bool training = random.chance(0.5);
    subject::set_training(both.got, training);
    both.want->set_training(training);
    return training ? "set_training(true)" : "set_training(false)";
}
/// In the shape of the last forward call; refused where a state was loaded since.
inline std::string command_backward(Modules& both, Random& random) {
    const auto g = fractions_of(random, both.B, both.T, both.config.d_model);
    expect_status(subject::backward(both.got, g), both.want->backward(g));
    return "backward";
}
inline std::string command_backward_of_another_shape(Modules& both, Random& random) {
    const auto g = fractions_of(random, both.B + 1, both.T, both.config.d_model);
    expect_status(subject::backward(both.got, g), both.want->backward(g));
    return "backward of another shape";
}
inline std::string command_zero_gradients(Modules& both, Random&) {
    subject::zero_gradients(both.got);
    both.want->zero_gradients();
    return "zero_gradients";
}

inline void ask_about_numbers(Modules& both) {
    expect_equal("training()", subject::training(both.got), both.want->training());
    expect_true("parameters() is as it was", subject::parameters(both.got) == both.want->parameters());
    expect_true("buffers() is as it was", subject::buffers(both.got) == both.want->buffers());
    expect_identical("state()", subject::state(both.got), both.want->state());
}
inline void ask_about_gradients(Modules& both) {
    ask_about_numbers(both);
    expect_same_gradients(both.got, *both.want, both.config);
    Grid<float> none(both.config.max_positions, both.config.d_model);
    expect_status(subject::gradient(both.got, "pe", none), Status{Code::invalid_argument});
    expect_untouched("out of a refused gradient", none);
}

const std::vector<Command<Modules>> forward_commands{command_forward, command_forward,
                                                     command_refused_forward, command_mode};

/// Random commands on modules of all kinds whose numbers are exact, and of seeds at their ends.
inline void try_commands(const std::vector<std::vector<Command<Modules>>>& groups,
                         const std::function<void(Modules&)>& queries) {
    std::vector<Command<Modules>> commands;
    for (const auto& group : groups)
        commands.insert(commands.end(), group.begin(), group.end());
    Random random = harness::random();
    for (const Named<std::uint64_t>& seed : ends_of_64_bits()) {
        const bool scaled = random.chance(0.5); // by 2, which rounds nothing
        const Config config{.vocab_size = random.size(1, 7),
                            .d_model = scaled ? 4 : random.size(1, 6),
                            .max_positions = random.size(1, 5),
                            .dropout = 0.5F,
                            .positions = random.chance(0.5) ? Positions::learned : Positions::sinusoidal,
                            .scale_by_sqrt_d = scaled,
                            .padding_idx = random.chance(0.5) ? 0 : -1};
        const ContextScope scope(
            "a module with seed " + seed.words + ", V = " + std::to_string(config.vocab_size) +
            ", C = " + std::to_string(config.d_model) + ", P = " + std::to_string(config.max_positions));
        Modules both(config, seed.value);
        run_commands(both, commands, queries, 25, random);
    }
}

// A module as a function, so that each of its sizes meets its boundaries. The numbers that the submission
// drew are those of the reference's module, too.
inline std::vector<float> drawn;

const ExtentDomain vocabulary{.name = "V", .ordinary = 6, .least = 1},
    // A program may make hundreds of sines for each column, and a call has few seconds.
    channels{.name = "C", .ordinary = 3, .least = 1, .limit = (std::size_t{1} << 18) + 21},
    batch{.name = "B", .ordinary = 2}, time_steps{.name = "T", .ordinary = 4};

/// P is the sum of these extents.
inline Parameter<Config> config_of(const Dim& positions, Positions kind) {
    return value<Config>(
        "config",
        [=](const Extents& size, Random&) {
            return Named<Config>{"P = " + std::to_string(positions.of(size)),
                                 {.vocab_size = size["V"],
                                  .d_model = size["C"],
                                  .max_positions = positions.of(size),
                                  .dropout = 0.5F,
                                  .positions = kind}};
        },
        [](const Extents&) { return std::vector<Named<Config>>{}; });
}

} // namespace suite

#include "harness/suite.h"
#include "harness/adversity/adverse.h"
#include "harness/adversity/commands.h"
#include "harness/adversity/seeds.h"
#include "harness/recorder.h"
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

// The tests come in the order in which a module is written (statement.md, "Your task"): none of a stage calls
// a function of a later one. Until load_state exists, tables hold what `make` drew, and tests read them
// through state(). Where the numbers must not depend on how they were drawn, the module has one token, which
// is padding and so a row of zeros, and sinusoidal positions.

namespace {

using Config = InputEmbeddingConfig;
using Module = subject::Object<InputEmbedding>;

constexpr double u = 0x1p-24; ///< the relative error of one float operation
constexpr std::uint64_t some_seed = 7;

/// Which tensors a module has, parameters first, then buffers.
std::vector<TensorInfo> parameters_of(const Config& config) {
    std::vector<TensorInfo> infos{{"wte", config.vocab_size, config.d_model}};
    if (config.positions == Positions::learned)
        infos.emplace_back("wpe", config.max_positions, config.d_model);
    if (config.layer_norm) {
        infos.emplace_back("gain", 1, config.d_model);
        infos.emplace_back("bias", 1, config.d_model);
    }
    return infos;
}
std::vector<TensorInfo> buffers_of(const Config& config) {
    if (config.positions == Positions::learned) return {};
    return {{"pe", config.max_positions, config.d_model}};
}
std::vector<TensorInfo> tensors_of(const Config& config) {
    auto infos = parameters_of(config);
    const auto buffers = buffers_of(config);
    infos.insert(infos.end(), buffers.begin(), buffers.end());
    return infos;
}
std::size_t size_of(const std::vector<TensorInfo>& infos) {
    std::size_t size = 0;
    for (const TensorInfo& info : infos)
        size += info.rows * info.cols;
    return size;
}

Module make_module(const Config& config, std::uint64_t seed = some_seed) {
    const Module module = subject::make(config, seed);
    REQUIRE_MESSAGE(module.valid(), "make returns no module for a valid configuration");
    return module;
}
/// All numbers of a module, in the order of tensors_of().
std::vector<float> state_of(const Module& module, const Config& config) {
    std::vector<float> state = subject::state(module);
    REQUIRE_MESSAGE(state.size() == size_of(tensors_of(config)),
                    "state() returns other than one number for each element of the tensors");
    return state;
}
/// A module with these numbers, in the order of tensors_of().
Module make_loaded(const Config& config, const std::vector<float>& values, std::uint64_t seed = some_seed) {
    const Module module = make_module(config, seed);
    expect_status(subject::load_state(module, tensors_of(config), values), Status{});
    return module;
}
std::unique_ptr<InputEmbedding> loaded_reference(const Config& config, const std::vector<float>& values,
                                                 std::uint64_t seed = some_seed) {
    auto module = reference::make(config, seed);
    reference::load_state(*module, tensors_of(config), values);
    return module;
}

Cube<float> forward(const Module& module, const Config& config, const Grid<TokenId>& ids,
                    std::size_t start = 0) {
    Cube<float> out(ids.rows(), ids.cols(), config.d_model);
    expect_status(subject::forward(module, ids, start, out), Status{});
    return out;
}
Cube<float> forward(InputEmbedding& module, const Config& config, const Grid<TokenId>& ids,
                    std::size_t start = 0) {
    Cube<float> out(ids.rows(), ids.cols(), config.d_model);
    reference::forward(module, ids, start, out);
    return out;
}
Grid<float> gradient(const Module& module, const TensorInfo& info) {
    Grid<float> values(info.rows, info.cols);
    expect_status(subject::gradient(module, info.name, values), Status{});
    return values;
}
Grid<float> gradient(const InputEmbedding& module, const TensorInfo& info) {
    Grid<float> values(info.rows, info.cols);
    reference::gradient(module, info.name, values);
    return values;
}
/// All gradients, bit for bit. The numbers are such that every order of additions gives the same floats.
void expect_same_gradients(const Module& module, const InputEmbedding& want, const Config& config) {
    for (const TensorInfo& info : parameters_of(config))
        expect_identical(std::string("gradient of ") + info.name, gradient(module, info),
                         gradient(want, info));
}

Cube<float> filled(std::size_t batch, std::size_t time, std::size_t channels, float value) {
    Cube<float> cube(batch, time, channels);
    cube.fill(value);
    return cube;
}
/// 1, 2, 3, ...
Cube<float> numbered(std::size_t batch, std::size_t time, std::size_t channels) {
    Cube<float> cube(batch, time, channels);
    float value = 0;
    for (float& element : cube.cells())
        element = ++value;
    return cube;
}

/// Four tokens, five positions, three channels: the tables of the statement, which are those of
/// learned-positions.
Config small() {
    return {.vocab_size = 4, .d_model = 3, .max_positions = 5, .dropout = 0.5F};
}
std::vector<float> small_state() {
    return {0, 0.25F, 0.5F, 1,  1.25F, 1.5F, 2,  2.25F, 2.5F, 3,  3.25F, 3.5F, //
            1, 2,     3,    11, 12,    13,   21, 22,    23,   31, 32,    33,   41, 42, 43};
}

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

/// Token plus position, where no factor is asked for: one float addition an element.
Cube<float> float_sums(const Config& config, const std::vector<float>& state, const Grid<TokenId>& ids,
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
std::vector<float> wavy(std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = static_cast<float>(std::sin(1.0 + 7.3 * static_cast<double>(i)));
    return values;
}

/// Whether the contract drops element e of a training call.
bool is_dropped(const Config& config, std::uint64_t seed, std::uint64_t offset, std::size_t e) {
    return uniform(seed, offset + e) < static_cast<double>(config.dropout);
}

/// What dropout leaves of `values` in the training call that begins at `offset`.
Cube<double> dropped_from(const Cube<float>& values, const Config& config, std::uint64_t seed,
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

std::vector<double> as_double(const std::vector<float>& values) {
    return {values.begin(), values.end()};
}

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

/// Multiples of 1/64: with a dropout of 1/2 and without LayerNorm, gradients made of them are exact.
Cube<float> fractions_of(Random& random, std::size_t B, std::size_t T, std::size_t C) {
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

std::string command_forward(Modules& both, Random& random) {
    const Config& config = both.config;
    const std::size_t P = config.max_positions, T = random.size(0, P), start = random.size(0, P - T);
    const auto ids = random_id_grid(random, random.size(0, 3), T, config.vocab_size);
    Cube<float> got(ids.rows(), T, config.d_model), want(ids.rows(), T, config.d_model);
    expect_status(subject::forward(both.got, ids, start, got), both.want->forward(ids, start, want));
    expect_identical("out of forward", got, want);
    both.B = ids.rows(), both.T = T;
    return "forward of " + std::to_string(ids.rows()) + " x " + std::to_string(T) + " ids";
}
std::string command_refused_forward(Modules& both, Random& random) {
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
std::string command_mode(Modules& both, Random& random) {
    const bool training = random.chance(0.5);
    subject::set_training(both.got, training);
    both.want->set_training(training);
    return training ? "set_training(true)" : "set_training(false)";
}
/// In the shape of the last forward call; refused where a state was loaded since.
std::string command_backward(Modules& both, Random& random) {
    const auto g = fractions_of(random, both.B, both.T, both.config.d_model);
    expect_status(subject::backward(both.got, g), both.want->backward(g));
    return "backward";
}
std::string command_backward_of_another_shape(Modules& both, Random& random) {
    const auto g = fractions_of(random, both.B + 1, both.T, both.config.d_model);
    expect_status(subject::backward(both.got, g), both.want->backward(g));
    return "backward of another shape";
}
std::string command_zero_gradients(Modules& both, Random&) {
    subject::zero_gradients(both.got);
    both.want->zero_gradients();
    return "zero_gradients";
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

void ask_about_numbers(Modules& both) {
    expect_equal("training()", subject::training(both.got), both.want->training());
    expect_true("parameters() is as it was", subject::parameters(both.got) == both.want->parameters());
    expect_true("buffers() is as it was", subject::buffers(both.got) == both.want->buffers());
    expect_identical("state()", subject::state(both.got), both.want->state());
}
void ask_about_gradients(Modules& both) {
    ask_about_numbers(both);
    expect_same_gradients(both.got, *both.want, both.config);
    Grid<float> none(both.config.max_positions, both.config.d_model);
    expect_status(subject::gradient(both.got, "pe", none), Status{Code::invalid_argument});
    expect_untouched("out of a refused gradient", none);
}

const std::vector<Command<Modules>> forward_commands{command_forward, command_forward,
                                                     command_refused_forward, command_mode};

/// Random commands on modules of all kinds whose numbers are exact, and of seeds at their ends.
void try_commands(const std::vector<std::vector<Command<Modules>>>& groups,
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

// A module as a function, so that each of its sizes meets its boundaries. The numbers that the submission
// drew are those of the reference's module, too.
std::vector<float> drawn;

Status module_forward(Config config, Ids2D ids, std::size_t start, Tensor3<float> out) {
    const Module module = make_module(config);
    drawn = state_of(module, config);
    return subject::forward(module, ids, start, out);
}
Status wanted_forward(Config config, Ids2D ids, std::size_t start, Tensor3<float> out) {
    return loaded_reference(config, drawn)->forward(ids, start, out);
}
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

const ExtentDomain vocabulary{.name = "V", .ordinary = 6, .least = 1},
    // A program may make hundreds of sines for each column, and a call has few seconds.
    channels{.name = "C", .ordinary = 3, .least = 1, .limit = (std::size_t{1} << 18) + 21},
    batch{.name = "B", .ordinary = 2}, time_steps{.name = "T", .ordinary = 4};

/// P is the sum of these extents.
Parameter<Config> config_of(const Dim& positions, Positions kind) {
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

// validate

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

// count

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

// make, parameters, buffers, state

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

// set_training, training, forward

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

// gradient, zero_gradients, backward

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

// load_state

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

namespace {

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

TEST_CASE("forward and modes in any order") {
    try_commands({forward_commands}, ask_about_numbers);
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

TEST_CASE("forward, backward and modes in any order") {
    try_commands(
        {forward_commands,
         {command_backward, command_backward, command_backward_of_another_shape, command_zero_gradients}},
        ask_about_gradients);
}

TEST_CASE("loaded states and all the rest in any order") {
    try_commands({forward_commands,
                  {command_backward, command_backward, command_backward_of_another_shape,
                   command_zero_gradients, command_load_state}},
                 ask_about_gradients);
}

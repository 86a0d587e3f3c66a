#include "harness/suite.h"
#include "corpus.h"
#include "harness/adversity/adverse.h"
#include "subject/proxies.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

// N: positions of a batch, V: vocabulary size, C: channels
using namespace contract;
using namespace harness;

namespace {

constexpr double u = 0x1p-24;
constexpr double e = 0x1p-52;
constexpr double smallest = 0x1p-149; ///< of the floats
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr TokenId none = -1; ///< ignored, where every target counts

using Tokens = std::vector<TokenId>;
using Table = Matrix<const float>;

double number(float value) {
    return static_cast<double>(value);
}

Grid<float> filled(std::size_t rows, std::size_t cols, float value) {
    Grid<float> grid(rows, cols);
    grid.fill(value);
    return grid;
}

Grid<float> spread_out(Random& random, std::size_t rows, std::size_t cols, double deviation) {
    Grid<float> grid(rows, cols);
    for (float& value : grid.cells())
        value = static_cast<float>(deviation * random.normal());
    return grid;
}

/// What a call has to give, and by how much it may be off, straight from the contract.
struct Witness {
    Witness(Table wte_, Table mix_, Ids ids, Ids targets, TokenId ignored)
        : wte(wte_), mix(mix_), V(wte.rows), C(wte.cols), dwte(V, C), dmix(C, C), wte_bound(V, C),
          mix_bound(C, C), sums_wte(V, C), sums_mix(C, C) {
        for (Grid<double>* each : {&dwte, &dmix, &wte_bound, &mix_bound, &sums_wte, &sums_mix})
            each->fill(0);
        counted = static_cast<std::size_t>(
            std::ranges::count_if(targets, [&](TokenId target) { return target != ignored; }));
        for (std::size_t n = 0; n < ids.size(); ++n)
            add(static_cast<std::size_t>(ids[n]), targets[n], targets[n] != ignored);
        const auto sizes = static_cast<double>(ids.size() + V + 5 * C + 24);
        const double h = e * sizes * (1 + largest);
        mean_bound = 8 * h;
        set_bounds(wte_bound, dwte, sums_wte, h);
        set_bounds(mix_bound, dmix, sums_mix, h);
    }

    void add(std::size_t id, TokenId target, bool counts) {
        std::vector<double> hidden(C, 0), sizes(C, 0), x(V, 0); // `sizes`: of absolute values
        for (std::size_t k = 0; k < C; ++k)
            for (std::size_t c = 0; c < C; ++c) {
                const double term = number(wte(id, k)) * number(mix(k, c));
                hidden[c] += term;
                sizes[c] += std::abs(term);
            }
        for (std::size_t v = 0; v < V; ++v) {
            double size = 0;
            for (std::size_t c = 0; c < C; ++c) {
                x[v] += hidden[c] * number(wte(v, c));
                size += sizes[c] * std::abs(number(wte(v, c)));
            }
            largest = std::max(largest, size);
        }
        if (!counts) return;
        const auto wanted = static_cast<std::size_t>(target);
        const double K = static_cast<double>(counted), top = *std::ranges::max_element(x);
        double sum = 0;
        for (const double each : x)
            sum += std::exp(each - top);
        mean += (std::log(sum) + top - x[wanted]) / K;
        std::vector<double> dhidden(C, 0), dsizes(C, 0);
        for (std::size_t v = 0; v < V; ++v) {
            const double p = std::exp(x[v] - top) / sum, hit = v == wanted ? 1 : 0;
            const double g = (p - hit) / K, size = (p + hit) / K;
            for (std::size_t c = 0; c < C; ++c) {
                dhidden[c] += g * number(wte(v, c));
                dsizes[c] += size * std::abs(number(wte(v, c)));
                dwte(v, c) += g * hidden[c];
                sums_wte(v, c) += size * sizes[c];
            }
        }
        for (std::size_t k = 0; k < C; ++k)
            for (std::size_t c = 0; c < C; ++c) {
                dmix(k, c) += number(wte(id, k)) * dhidden[c];
                sums_mix(k, c) += std::abs(number(wte(id, k))) * dsizes[c];
                dwte(id, k) += dhidden[c] * number(mix(k, c));
                sums_wte(id, k) += dsizes[c] * std::abs(number(mix(k, c)));
            }
    }
    static void set_bounds(Grid<double>& bound, const Grid<double>& g, const Grid<double>& sums, double h) {
        for (std::size_t i = 0; i < bound.cells().size(); ++i)
            bound.cells()[i] = u * std::abs(g.cells()[i]) + 8 * h * sums.cells()[i] + smallest;
    }

    Table wte, mix;
    std::size_t V, C, counted = 0;
    double mean = 0, mean_bound = 0, largest = 0;
    Grid<double> dwte, dmix, wte_bound, mix_bound, sums_wte, sums_mix;
};

/// A model of the caller: its two parameters.
struct Model {
    Grid<float> wte, mix;

    Witness witness(const Tokens& ids, const Tokens& targets, TokenId ignored) const {
        return {wte, mix, ids, targets, ignored};
    }
};

Model fresh(std::size_t V, std::size_t C, std::uint64_t seed, float spread) {
    Model model{Grid<float>(V, C), Grid<float>(C, C)};
    expect_status(subject::initialise(seed, spread, model.wte, model.mix), Status{});
    return model;
}

Model random_model(Random& random, std::size_t V, std::size_t C) {
    return {spread_out(random, V, C, 0.7), spread_out(random, C, C, 0.7)};
}

Loss step(Model& model, Ids ids, Ids targets, TokenId ignored, float rate) {
    return subject::step(model.wte, model.mix, ids, targets, ignored, rate);
}

struct Gradients {
    Grid<float> dwte, dmix;
};

Gradients gradients_of(const Model& model, const Tokens& ids, const Tokens& targets, TokenId ignored) {
    Gradients all{Grid<float>(model.wte.rows(), model.wte.cols()),
                  Grid<float>(model.mix.rows(), model.mix.cols())};
    expect_status(subject::gradients(model.wte, model.mix, ids, targets, ignored, all.dwte, all.dmix).status,
                  Status{});
    return all;
}

/// `evaluate` and `gradients` against the definition.
void expect_learning(const Model& model, const Tokens& ids, const Tokens& targets, TokenId ignored) {
    const Witness want = model.witness(ids, targets, ignored);
    const Loss loss = subject::evaluate(model.wte, model.mix, ids, targets, ignored);
    expect_status(loss.status, Status{});
    expect_equal("counted", loss.counted, want.counted);
    expect_near("the mean", loss.mean, want.mean, want.mean_bound);
    const Gradients got = gradients_of(model, ids, targets, ignored);
    expect_within("dwte", got.dwte, want.dwte, want.wte_bound);
    expect_within("dmix", got.dmix, want.dmix, want.mix_bound);
}

/// What a step leaves of a parameter, and its bounds.
struct Stepped {
    Stepped(Table w, float rate_, const Grid<double>& g, const Grid<double>& g_bound)
        : want(w.rows, w.cols), bound(w.rows, w.cols) {
        const double rate = number(rate_);
        for (std::size_t r = 0; r < w.rows; ++r)
            for (std::size_t c = 0; c < w.cols; ++c) {
                const double old = number(w(r, c)), move = rate * g(r, c);
                want(r, c) = old - move;
                bound(r, c) =
                    rate == 0 ? 0
                              : rate * g_bound(r, c) + 2 * u * (std::abs(old) + std::abs(move)) + smallest;
            }
    }
    Grid<double> want, bound;
};

/// `step` against the definition, from a copy of the model.
void expect_step(Model model, const Tokens& ids, const Tokens& targets, TokenId ignored, float rate) {
    const Model before = model;
    const Witness want = before.witness(ids, targets, ignored);
    const Loss loss = step(model, ids, targets, ignored, rate);
    expect_status(loss.status, Status{});
    expect_equal("counted", loss.counted, want.counted);
    expect_near("the mean before the step", loss.mean, want.mean, want.mean_bound);
    const Stepped wte(before.wte, rate, want.dwte, want.wte_bound);
    const Stepped mix(before.mix, rate, want.dmix, want.mix_bound);
    expect_within("wte", model.wte, wte.want, wte.bound);
    expect_within("mix", model.mix, mix.want, mix.bound);
}

// Texts to learn from.

/// The loss of a model that knows how often each token follows each other one, and so the smallest there is.
double smallest_loss(const Tokens& ids, const Tokens& targets, TokenId ignored) {
    std::map<TokenId, double> seen;
    std::map<std::pair<TokenId, TokenId>, double> pairs;
    double counted = 0, sum = 0;
    for (std::size_t n = 0; n < ids.size(); ++n) {
        if (targets[n] == ignored) continue;
        ++seen[ids[n]], ++pairs[{ids[n], targets[n]}], ++counted;
    }
    for (const auto& [pair, times] : pairs)
        sum -= times * std::log(times / seen[pair.first]);
    return sum / counted;
}

/// How many of the words have their nearest other token, by the cosine, in their own class.
std::size_t in_their_class(const Grid<float>& wte, const std::map<std::size_t, std::size_t>& class_of) {
    const auto product = [&](std::size_t a, std::size_t b) {
        double sum = 0;
        for (std::size_t c = 0; c < wte.cols(); ++c)
            sum += number(wte(a, c)) * number(wte(b, c));
        return sum;
    };
    std::size_t right = 0;
    for (const auto& [word, its_class] : class_of) {
        std::size_t nearest = word;
        double largest = -2;
        for (std::size_t v = 0; v < wte.rows(); ++v) {
            const double cosine = product(word, v) / std::sqrt(product(word, word) * product(v, v));
            if (v == word || !(cosine > largest)) continue;
            largest = cosine;
            nearest = v;
        }
        const auto found = class_of.find(nearest);
        right += found != class_of.end() && nearest != word && found->second == its_class ? 1 : 0;
    }
    return right;
}

/// Steps over a text, in batches of `size` that follow each other and begin again at its end.
void train(Model& model, const Tokens& ids, const Tokens& targets, std::size_t steps, std::size_t size,
           float rate) {
    const std::size_t batches = ids.size() / size;
    for (std::size_t s = 0; s < steps; ++s) {
        const std::size_t first = s % batches * size;
        const Loss loss = step(model, Ids(ids).subspan(first, size), Ids(targets).subspan(first, size),
                               corpus::ignored, rate);
        if (!expect_true("the loss of step " + std::to_string(s) + " is a number", std::isfinite(loss.mean)))
            return;
    }
}

std::map<std::size_t, std::size_t> classes_of(const corpus::Tokens& text) {
    std::map<std::size_t, std::size_t> all;
    for (std::size_t i = 0; i < std::size(corpus::classes); ++i)
        for (const std::string& word : corpus::words_of(corpus::classes[i].words))
            all[text.find(word)] = i;
    return all;
}

// Adversities. The functions with a loss are called through others that put it into an output, because what
// it may be off by follows from the arguments.

Status keep(const Loss& loss, std::span<double> kept) {
    const bool refused = loss.status.code != Code::ok;
    if (refused) expect_true("a refused call has mean 0 and counted 0", loss == Loss{loss.status});
    if (!refused) kept[0] = loss.mean, kept[1] = static_cast<double>(loss.counted);
    return loss.status;
}

Status got_evaluate(Table wte, Table mix, Ids ids, Ids targets, TokenId ignored, std::span<double> loss) {
    return keep(subject::evaluate(wte, mix, ids, targets, ignored), loss);
}
Status want_evaluate(Table wte, Table mix, Ids ids, Ids targets, TokenId ignored, std::span<double> loss) {
    return keep(reference::evaluate(wte, mix, ids, targets, ignored), loss);
}
Status got_gradients(Table wte, Table mix, Ids ids, Ids targets, TokenId ignored, Matrix<float> dwte,
                     Matrix<float> dmix, std::span<double> loss) {
    return keep(subject::gradients(wte, mix, ids, targets, ignored, dwte, dmix), loss);
}
Status want_gradients(Table wte, Table mix, Ids ids, Ids targets, TokenId ignored, Matrix<float> dwte,
                      Matrix<float> dmix, std::span<double> loss) {
    return keep(reference::gradients(wte, mix, ids, targets, ignored, dwte, dmix), loss);
}
Status got_step(Matrix<float> wte, Matrix<float> mix, Ids ids, Ids targets, TokenId ignored, float rate,
                std::span<double> loss) {
    return keep(subject::step(wte, mix, ids, targets, ignored, rate), loss);
}
Status want_step(Matrix<float> wte, Matrix<float> mix, Ids ids, Ids targets, TokenId ignored, float rate,
                 std::span<double> loss) {
    return keep(reference::step(wte, mix, ids, targets, ignored, rate), loss);
}

const std::vector<ExtentDomain> extents{
    {.name = "N", .ordinary = 4},
    {.name = "V", .ordinary = 5},
    {.name = "C", .ordinary = 3, .largest = 67}}; // mix has C * C elements

/// Values of about 1: logits of some tens, of which several have a probability.
Contents weights(float power) {
    return {scaled(normal(), power),
            {{"zeros", constant(0)},
             {"values of about 100", scaled(fractions(), 64)},
             {"denormals", scaled(normal(), 0x1p-140F)}}};
}

Parameter<TokenId> any_ignored() {
    return value<TokenId>(
        "ignored",
        [](const Extents&, Random&) {
            return Named<TokenId>{"-1", none};
        },
        [](const Extents& size) {
            const auto V = static_cast<TokenId>(size["V"]);
            return std::vector<Named<TokenId>>{
                {"0", 0}, {"V - 1", V - 1}, {"V", V}, {"-2^31", std::numeric_limits<TokenId>::min()}};
        });
}

Parameter<float> any_rate(std::string name) {
    return value<float>(
        std::move(name),
        [](const Extents&, Random&) {
            return Named<float>{"0.375", 0.375F};
        },
        [](const Extents&) {
            return std::vector<Named<float>>{{"0", 0.0F},
                                             {"-0", -0.0F},
                                             {"2^-149", 0x1p-149F},
                                             {"10,000", 10'000.0F},
                                             {"-2^-149", -0x1p-149F, true},
                                             {"-1", -1.0F, true},
                                             {"NaN", not_a_number, true},
                                             {"NaN with its sign", -not_a_number, true},
                                             {"infinity", infinity, true},
                                             {"-infinity", -infinity, true}};
        });
}

Parameter<std::span<double>> loss_out() {
    return detail::block<std::span<double>, double>("loss", {Dim([](const Extents&) { return 2; })}, {},
                                                    Checked::nothing, false, true, true,
                                                    detail::span_view<double>);
}

bool is_rate(float rate) {
    return std::isfinite(rate) && rate >= 0;
}

/// Bounds of an output of `size` elements, twice as wide as the contract's because the reference has its own
/// rounding; 0 where the call is refused.
template <class Bound>
std::vector<double> twice(const Table& wte, const Table& mix, const Ids& ids, const Ids& targets,
                          TokenId ignored, std::size_t size, const Bound& bound) {
    const auto is_token = [&](TokenId id) { return id >= 0 && std::cmp_less(id, wte.rows); };
    if (mix.rows != wte.cols || mix.cols != wte.cols || ids.size() != targets.size() ||
        !std::ranges::all_of(ids, is_token) ||
        !std::ranges::all_of(targets, [&](TokenId t) { return t == ignored || is_token(t); }))
        return std::vector<double>(size);
    std::vector<double> all = bound(Witness(wte, mix, ids, targets, ignored));
    all.resize(size); // of an output of another shape, whose call is refused
    for (double& each : all)
        each *= 2;
    return all;
}

std::vector<double> bounds_of_loss(const Witness& want) {
    return {want.mean_bound, 0};
}
std::vector<double> cells_of(const Grid<double>& grid) {
    return {grid.cells().begin(), grid.cells().end()};
}

auto adverse_initialise() {
    return Adverse("initialise", subject::initialise, &reference::initialise,
                   {{.name = "V", .ordinary = 5}, {.name = "C", .ordinary = 3, .largest = 67}},
                   any_number_64("seed"), any_rate("spread"), matrix_out("wte", "V", "C", Checked::cols),
                   matrix_out("mix", "C", "C"))
        .rule("wte", {.kind = Rule::Kind::values, .tolerance = {}, .bounds = {}, .exact = {}})
        .rule("mix", {.kind = Rule::Kind::values, .tolerance = {}, .bounds = {}, .exact = {}});
}

auto adverse_evaluate() {
    return Adverse("evaluate", &got_evaluate, &want_evaluate, extents,
                   matrix_in("wte", "V", "C", weights(1), Checked::cols),
                   matrix_in("mix", "C", "C", weights(0.5F), Checked::all), ids("ids", "N", "V"),
                   ids("targets", "N", "V"), any_ignored(), loss_out())
        .one_call()
        .bounds("loss", [](const Table& wte, const Table& mix, const Ids& ids, const Ids& targets,
                           const TokenId& ignored, const std::span<double>&) {
            return twice(wte, mix, ids, targets, ignored, 2, bounds_of_loss);
        });
}

auto adverse_gradients() {
    const auto bounded = [](const auto& bound) {
        return [bound](const Table& wte, const Table& mix, const Ids& ids, const Ids& targets,
                       const TokenId& ignored, const Matrix<float>& dwte, const Matrix<float>& dmix,
                       const std::span<double>&) {
            const std::size_t largest = std::max({dwte.rows * dwte.cols, dmix.rows * dmix.cols, 2UL});
            const bool fits = dwte.rows == wte.rows && dwte.cols == wte.cols && dmix.rows == mix.rows &&
                              dmix.cols == mix.cols;
            return fits ? twice(wte, mix, ids, targets, ignored, largest, bound)
                        : std::vector<double>(largest);
        };
    };
    return Adverse("gradients", &got_gradients, &want_gradients, extents,
                   matrix_in("wte", "V", "C", weights(1), Checked::all),
                   matrix_in("mix", "C", "C", weights(0.5F), Checked::all), ids("ids", "N", "V"),
                   ids("targets", "N", "V"), any_ignored(), matrix_out("dwte", "V", "C"),
                   matrix_out("dmix", "C", "C"), loss_out())
        .one_call()
        .bounds("dwte", bounded([](const Witness& want) { return cells_of(want.wte_bound); }))
        .bounds("dmix", bounded([](const Witness& want) { return cells_of(want.mix_bound); }))
        .bounds("loss", bounded(bounds_of_loss));
}

auto adverse_update() {
    return Adverse("update", subject::update, &reference::update,
                   {{.name = "R", .ordinary = 5}, {.name = "C", .ordinary = 3}},
                   matrix_in("gradient", "R", "C", weights(1)), any_rate("rate"),
                   matrix_sum("weights", "R", "C", weights(1)))
        .bounds("weights",
                [](const Table& g, const float& rate, const Matrix<float>& w) {
                    std::vector<double> bounds(w.rows * w.cols);
                    if (g.rows != w.rows || g.cols != w.cols || !is_rate(rate)) return bounds;
                    for (std::size_t i = 0; i < bounds.size(); ++i) {
                        const std::size_t r = i / w.cols, c = i % w.cols;
                        const double size =
                            std::abs(number(w(r, c))) + std::abs(number(rate) * number(g(r, c)));
                        bounds[i] = 4 * u * size + 2 * smallest;
                    }
                    return bounds;
                })
        .exact("weights", [](const Table&, const float& rate, const Matrix<float>&) {
            return [none_moves = rate == 0](std::size_t) { return none_moves; };
        });
}

auto adverse_step() {
    const auto bounded = [](const auto& bound) {
        return [bound](const Matrix<float>& wte, const Matrix<float>& mix, const Ids& ids, const Ids& targets,
                       const TokenId& ignored, const float& rate, const std::span<double>&) {
            const std::size_t largest = std::max({wte.rows * wte.cols, mix.rows * mix.cols, 2UL});
            const auto at_rate = [&](const Witness& want) { return bound(want, rate); };
            return is_rate(rate) ? twice(wte, mix, ids, targets, ignored, largest, at_rate)
                                 : std::vector<double>(largest);
        };
    };
    const auto kept = [](const Matrix<float>&, const Matrix<float>&, const Ids&, const Ids&, const TokenId&,
                         const float& rate, const std::span<double>&) {
        return [none_moves = rate == 0](std::size_t) { return none_moves; };
    };
    return Adverse("step", &got_step, &want_step, extents,
                   matrix_sum("wte", "V", "C", weights(1), Checked::cols),
                   matrix_sum("mix", "C", "C", weights(0.5F)), ids("ids", "N", "V"), ids("targets", "N", "V"),
                   any_ignored(), any_rate("rate"), loss_out())
        .one_call()
        .bounds("wte", bounded([](const Witness& want, float rate) {
                    return cells_of(Stepped(want.wte, rate, want.dwte, want.wte_bound).bound);
                }))
        .bounds("mix", bounded([](const Witness& want, float rate) {
                    return cells_of(Stepped(want.mix, rate, want.dmix, want.mix_bound).bound);
                }))
        .bounds("loss", bounded([](const Witness& want, float) { return bounds_of_loss(want); }))
        .exact("wte", kept)
        .exact("mix", kept);
}

auto adverse_cosines() {
    return Adverse("cosines", subject::cosines, &reference::cosines,
                   {{.name = "V", .ordinary = 5}, {.name = "C", .ordinary = 3}},
                   matrix_in("wte", "V", "C",
                             {normal(),
                              {{"zeros", constant(0)},
                               {"values of about 1e30", scaled(normal(), 1e30F)},
                               {"values of about 1e-30", scaled(normal(), 1e-30F)},
                               {"the smallest number", constant(0x1p-149F)}}}),
                   value<TokenId>(
                       "token",
                       [](const Extents& size, Random&) {
                           return Named<TokenId>{"V - 1", static_cast<TokenId>(size["V"]) - 1};
                       },
                       [](const Extents& size) {
                           const auto V = static_cast<TokenId>(size["V"]);
                           return std::vector<Named<TokenId>>{
                               {"0", 0, V == 0},
                               {"-1", -1, true},
                               {"V", V, true},
                               {"2^31 - 1", std::numeric_limits<TokenId>::max(), true},
                               {"-2^31", std::numeric_limits<TokenId>::min(), true}};
                       }),
                   span_out("out", "V"))
        .bounds("out", [](const Table& wte, const TokenId&, const std::span<float>& out) {
            std::vector<double> bounds(out.size(), 4 * u);
            for (std::size_t v = 0; v < std::min(out.size(), wte.rows); ++v)
                if (std::all_of(wte.row(v), wte.row(v) + wte.cols, [](float x) { return x == 0; }))
                    bounds[v] = 0;
            return bounds;
        });
}

/// The statement's example: token 0 is read, and mix makes (0, ln 3) of its row (1, 0).
Model small_model() {
    const float ln3 = std::log(3.0F);
    return {Grid<float>(2, 2, {1, 0, 0, 1}), Grid<float>(2, 2, {0, ln3, 0, 0})};
}

} // namespace

TEST_CASE("one position by hand") {
    // hidden = (0, ln 3), logits = (0, ln 3), p = (1/4, 3/4); the target is token 0: dlogits = (-3/4, 3/4).
    // dhidden = (-3/4, 3/4); dmix is its outer product with (1, 0); the head adds dlogits times hidden to
    // every row, the lookup mix times dhidden, (3/4 ln 3, 0), to row 0.
    const Model model = small_model();
    const double ln3 = number(model.mix(0, 1)), three = 0.75;
    const Loss loss = subject::evaluate(model.wte, model.mix, Tokens{0}, Tokens{0}, none);
    expect_status(loss.status, Status{});
    expect_equal("counted", loss.counted, std::size_t{1});
    expect_near("the mean, ln 4", loss.mean, std::log(4.0), 1e-7); // ln 3 is a float here
    const Gradients got = gradients_of(model, {0}, {0}, none);
    const Tolerance rounding{.abs = 1e-7};
    expect_close("dmix", got.dmix, Grid<double>(2, 2, {-three, three, 0, 0}), rounding);
    expect_close("dwte", got.dwte, Grid<double>(2, 2, {three * ln3, -three * ln3, 0, three * ln3}), rounding);
}

TEST_CASE("the parameters begin as the contract states") {
    // Computed with a program of a few lines in another language.
    const Model one = fresh(2, 3, 1, 1.0F);
    expect_identical(
        "wte of seed 1", one.wte,
        Grid<float>(2, 3,
                    {0.133123145F, 0.491563529F, 0.942005515F, -0.111281566F, -0.111470595F, 0.525788784F}));
    expect_identical("mix", one.mix, Grid<float>(3, 3, {1, 0, 0, 0, 1, 0, 0, 0, 1}));
    const Model seven = fresh(3, 2, 7, 0.3F);
    expect_identical("wte of seed 7", seven.wte,
                     Grid<float>(3, 2,
                                 {-0.0661021546F, -0.289927036F, 0.240456417F, 0.0497581773F, -0.028534865F,
                                  -0.150341094F}));
    for (const float spread : {0.0F, 0.3F, 2.0F}) {
        const Model model = fresh(50, 4, 5, spread);
        expect_true("every value is within the spread",
                    std::ranges::all_of(model.wte.cells(), [&](float w) { return std::abs(w) <= spread; }));
    }
    expect_true("another seed has another table", fresh(5, 2, 1, 1.0F).wte != fresh(5, 2, 2, 1.0F).wte);
}

TEST_CASE("before the first step the loss is the logarithm of the vocabulary") {
    // Logits are sums of C products of numbers up to 0.3: small beside 1, so that all p are close to 1 / V.
    Random random = constructed();
    for (const std::size_t V : {2, 81, 1'000}) {
        INFO("V = ", V);
        const Model model = fresh(V, 8, 3, 0.3F);
        const Tokens ids = random_ids(random, 60, V), targets = random_ids(random, 60, V);
        const Loss loss = subject::evaluate(model.wte, model.mix, ids, targets, none);
        expect_near("the mean, against ln V", loss.mean, std::log(static_cast<double>(V)), 0.05);
        const Model nothing = fresh(V, 8, 3, 0.0F);
        const Loss exact = subject::evaluate(nothing.wte, nothing.mix, ids, targets, none);
        expect_near("the mean of a table of zeros", exact.mean, std::log(static_cast<double>(V)),
                    nothing.witness(ids, targets, none).mean_bound);
    }
}

TEST_CASE("tokens that were read, wanted, repeated and neither") {
    Random random = constructed();
    const Model model = random_model(random, 6, 3);
    expect_learning(model, {2}, {4}, none);
    expect_learning(model, {2, 2, 2, 0}, {4, 4, 1, 2}, none); // token 2 is read three times, and wanted once
    expect_learning(model, {5, 5}, {5, 5}, none);
    const Gradients got = gradients_of(model, {2, 2}, {4, 1}, none);
    expect_true("the row of a token that was neither read nor wanted has a gradient, too",
                std::ranges::any_of(got.dwte.row(3), [](float g) { return g != 0; }));
    const Gradients once = gradients_of(model, {2, 0}, {4, 1}, none);
    const Gradients twice_over = gradients_of(model, {2, 0, 2, 0}, {4, 1, 4, 1}, none);
    expect_close("dwte of a batch that is there twice", twice_over.dwte, once.dwte,
                 {.abs = 1e-12, .rel = 2 * u});
}

TEST_CASE("positions with an ignored target do not count") {
    Random random = constructed();
    const Model model = random_model(random, 4, 3);
    expect_learning(model, {0, 3, 1, 2}, {1, -100, -100, 3}, -100);
    expect_learning(model, {0, 3, 1, 2}, {1, 0, 2, 0}, 0); // a token of the vocabulary may be the ignored one
    const Gradients few = gradients_of(model, {0, 2}, {1, 3}, -100);
    const Gradients more = gradients_of(model, {0, 3, 2, 3}, {1, -100, 3, -100}, -100);
    expect_close("dwte with ignored positions added", more.dwte, few.dwte, {.abs = 1e-12, .rel = 2 * u});
    expect_close("dmix with ignored positions added", more.dmix, few.dmix, {.abs = 1e-12, .rel = 2 * u});
}

TEST_CASE("with nothing to count the loss and all gradients are zero") {
    Random random = constructed();
    for (const Tokens& ids : {Tokens{}, Tokens{1}, Tokens{0, 2, 2}}) {
        INFO("N = ", ids.size());
        Model model = random_model(random, 3, 2);
        const Model before = model;
        const Tokens targets(ids.size(), 7);
        const Loss loss = subject::evaluate(model.wte, model.mix, ids, targets, 7);
        expect_equal("what evaluate returns", loss == Loss{}, true);
        const Gradients got = gradients_of(model, ids, targets, 7);
        expect_close("dwte", got.dwte, filled(3, 2, 0), {});
        expect_close("dmix", got.dmix, filled(2, 2, 0), {});
        expect_equal("what step returns", step(model, ids, targets, 7, 0.5F) == Loss{}, true);
        expect_close("wte after a step", model.wte, before.wte, {});
        expect_close("mix after a step", model.mix, before.mix, {});
    }
}

TEST_CASE("logits of ten thousand are as good as others") {
    // 100 * 100 in one channel, and its neighbours: exp of them is infinite, of their differences it is not.
    const Model large{Grid<float>(4, 1, {100, 99.99F, 99, -100}), Grid<float>(1, 1, {1})};
    expect_learning(large, {0, 1, 2, 3}, {1, 0, 0, 3}, none);
    expect_learning(large, {3, 0}, {0, 3}, none); // a loss of 20,000: p of the target is 0 even in double
    const Model negative{Grid<float>(3, 2, {100, 1, 100, 2, 100, 3}), Grid<float>(2, 2, {-1, 0, 0, 1})};
    expect_learning(negative, {0, 1, 2}, {2, 0, 2}, none); // all logits are close to -10,000
    const Model far_below{Grid<float>(2, 1, {0x1p35F, 0x1p35F}), Grid<float>(1, 1, {-0x1p35F})};
    expect_learning(far_below, {0, 1}, {1, 1}, none); // all are -4e31
    expect_step(large, {0, 1}, {1, 0}, none, 1e-3F);
    // p of token 1 is 6e-19: nothing beside the 1 of the target, and worth a step all the same.
    const Model certain{Grid<float>(3, 1, {7, 1, -1}), Grid<float>(1, 1, {1})};
    expect_step(certain, {0}, {0}, none, 0x1p60F);
}

TEST_CASE("an update is one step against the gradient") {
    Grid<float> weights(2, 3, {1, 2, 3, 4, 5, 6});
    const Grid<float> gradient(2, 3, {2, 0, -2, 4, 8, -16});
    expect_status(subject::update(gradient, 0.25F, weights), Status{});
    expect_identical("weights", weights, Grid<float>(2, 3, {0.5, 2, 3.5, 3, 3, 10}));
    expect_status(subject::update(gradient, 0.25F, weights), Status{});
    expect_identical("weights after a second one", weights, Grid<float>(2, 3, {0, 2, 4, 2, 1, 14}));
}

TEST_CASE("with rate zero every bit stays") {
    Grid<float> weights(1, 5, {-0.0F, 0.0F, 0x1p-149F, -3, 0.1F});
    const Grid<float> before = weights;
    for (const float rate : {0.0F, -0.0F}) {
        expect_status(
            subject::update(Grid<float>(1, 5, {not_a_number, -0.0F, infinity, 0, 1}), rate, weights),
            Status{});
        expect_identical("weights", weights, before);
    }
    Model model{Grid<float>(3, 2, {-0.0F, 1, 0, -0.0F, 2, -3}), Grid<float>(2, 2, {-0.0F, 1, 1, -0.0F})};
    const Model same = model;
    const Loss loss = step(model, Tokens{0, 1}, Tokens{2, 1}, none, 0.0F);
    const Witness want = same.witness({0, 1}, {2, 1}, none);
    expect_near("the mean", loss.mean, want.mean, want.mean_bound);
    expect_identical("wte", model.wte, same.wte);
    expect_identical("mix", model.mix, same.mix);
}

TEST_CASE("a step moves both parameters by the gradients of the old ones") {
    Random random = constructed();
    const Model model = random_model(random, 5, 3);
    for (const float rate : {0.01F, 0.5F, 4.0F}) {
        INFO("rate = ", rate);
        expect_step(model, {0, 4, 4, 2}, {1, 1, 3, 0}, none, rate);
        expect_step(model, {0, 4, 4, 2}, {1, -7, 3, -7}, -7, rate);
    }
    Model twice_over = model;
    step(twice_over, Tokens{1}, Tokens{2}, none, 0.5F);
    expect_step(twice_over, {1}, {2}, none, 0.5F); // the second step begins where the first one ended
}

TEST_CASE("cosines by hand") {
    const Grid<float> wte(6, 2, {3, 4, 6, 8, -4, 3, -3, -4, 0, 0, 1, 0});
    std::vector<float> out(6);
    expect_status(subject::cosines(wte, 0, out), Status{});
    expect_close("out", out, std::vector<float>{1, 1, 0, -1, 0, 0.6F}, {.abs = 2 * u});
    expect_status(subject::cosines(wte, 4, out), Status{});
    expect_close("out, of a row of zeros", out, std::vector<float>(6, 0), {});
    // Rows of which a part is zero, however long.
    for (const std::size_t zeros : {1, 8, 64, 512, 1'024, 2'048, 4'096}) {
        INFO("the first or the last ", zeros, " of ", zeros + 1, " channels are 0");
        Grid<float> halves(3, zeros + 1);
        halves.fill(0);
        halves(0, zeros) = halves(1, 0) = 2;
        halves(2, 0) = halves(2, zeros) = -3;
        std::vector<float> three(3);
        const auto half = -static_cast<float>(std::sqrt(0.5));
        for (const auto& [token, want] : {std::pair<TokenId, std::vector<float>>{0, {1, 0, half}},
                                          {1, {0, 1, half}},
                                          {2, {half, half, 1}}}) {
            expect_status(subject::cosines(halves, token, three), Status{});
            expect_close("out", three, want, {.abs = 2 * u});
        }
    }
    // A row's length does not count, however large or small it is.
    const Grid<float> ends(3, 2, {3e38F, 3e38F, 1e-44F, 1e-44F, -2, 2});
    std::vector<float> few(3);
    expect_status(subject::cosines(ends, 1, few), Status{});
    expect_close("out, of rows at the ends of the floats", few, std::vector<float>{1, 1, 0}, {.abs = 2 * u});
}

TEST_CASE("training brings the words of a class together") {
    // 240 steps over the text of this problem. Each class has six words; the nearest of all 81 tokens counts.
    const corpus::Tokens text = corpus::tokens_of(corpus::sentences);
    Model model = fresh(text.vocabulary.size(), 8, 2'026, 0.3F);
    const auto loss_of_text = [&] {
        return subject::evaluate(model.wte, model.mix, text.ids, text.targets, corpus::ignored).mean;
    };
    expect_near("the loss before the first step, against ln 81", loss_of_text(), std::log(81.0), 0.05);
    train(model, text.ids, text.targets, 240, text.ids.size() / 6, 1.5F);
    const double least = smallest_loss(text.ids, text.targets, corpus::ignored), loss = loss_of_text();
    expect_true("the loss is at most 0.4 above the smallest there is, and is " + std::to_string(loss),
                loss <= least + 0.4);
    expect_true("the loss is not below the smallest there is", loss >= least);
    const auto classes = classes_of(text);
    expect_equal("words with a class", classes.size(), std::size_t{24});
    const std::size_t right = in_their_class(model.wte, classes);
    expect_true("at least 90 % of the words have their nearest neighbour in their class: " +
                    std::to_string(right) + " of 24",
                right >= 22);
}

TEST_CASE("equal trainings give equal bits") {
    Random random = constructed();
    const Tokens ids = random_ids(random, 30, 7), targets = random_ids(random, 30, 7);
    Model one = fresh(7, 4, 11, 0.3F), other = fresh(7, 4, 12, 0.3F), same = fresh(7, 4, 11, 0.3F);
    expect_identical("wte of the same seed", same.wte, one.wte);
    std::vector<double> first, second;
    for (int s = 0; s < 8; ++s) {
        first.push_back(step(one, ids, targets, none, 0.8F).mean);
        step(other, targets, ids, none, 0.3F); // another model in between
    }
    for (int s = 0; s < 8; ++s)
        second.push_back(step(same, ids, targets, none, 0.8F).mean);
    expect_identical("losses of the second training", second, first);
    expect_identical("wte of the second training", same.wte, one.wte);
    expect_identical("mix of the second training", same.mix, one.mix);
    expect_true("another seed and another order of calls lead elsewhere", other.wte != one.wte);
}

TEST_CASE("what does not fit is refused in the order of the contract") {
    const Status mismatch{Code::shape_mismatch}, bad_rate{Code::invalid_argument};
    const Tokens good{0, 2}, bad{0, 3}, worse{-1, 9};
    const Grid<float> wte = filled(3, 2, 1), mix = filled(2, 2, 1), wide = filled(2, 3, 1);
    Grid<float> out(3, 2), square(2, 2), oblong(2, 3);
    expect_status(subject::initialise(1, infinity, out, oblong), mismatch);
    expect_status(subject::initialise(1, not_a_number, out, square), bad_rate);
    expect_status(subject::initialise(1, -1, out, square), bad_rate);

    const auto refused = [&](const Tokens& ids, const Tokens& targets, const Grid<float>& with,
                             TokenId ignored, float rate, Status status, Status step_status) {
        expect_equal("what evaluate returns",
                     subject::evaluate(wte, with, ids, targets, ignored) == Loss{status}, true);
        expect_equal("what gradients returns",
                     subject::gradients(wte, with, ids, targets, ignored, out, square) == Loss{status}, true);
        Model model{wte, with};
        expect_equal("what step returns", step(model, ids, targets, ignored, rate) == Loss{step_status},
                     true);
        expect_identical("wte", model.wte, wte);
        expect_identical("mix", model.mix, with);
    };
    const auto id = [](std::size_t n, std::int64_t which) { return Status::id_out_of_range(n, which, 3); };
    refused(worse, worse, wide, none, -1, mismatch, mismatch);
    // No number is ignored unless the caller says so, neither -1 nor PyTorch's -100.
    for (const TokenId other : {-100, -1, -2, 3, 255})
        for (const TokenId ignored : {none, TokenId{-100}, TokenId{0}})
            if (other != ignored) refused(good, {1, other}, mix, ignored, 1, id(1, other), id(1, other));
    refused(worse, {0}, mix, none, -1, mismatch, mismatch);
    refused({}, {0}, mix, 0, -1, mismatch, mismatch);
    refused(worse, bad, mix, none, -1, id(0, -1), bad_rate);
    refused(worse, bad, mix, none, 1, id(0, -1), id(0, -1));
    refused(bad, worse, mix, none, 1, id(1, 3), id(1, 3));
    refused(bad, {0, 7}, mix, 7, 1, id(1, 3), id(1, 3)); // an ignored position has an id as well
    refused(good, worse, mix, -1, 1, id(1, 9), id(1, 9));
    refused(good, bad, mix, none, 1, id(1, 3), id(1, 3));
    refused(good, bad, mix, none, infinity, id(1, 3), bad_rate);
    expect_equal("what gradients returns",
                 subject::gradients(wte, mix, worse, worse, none, out, oblong) == Loss{mismatch}, true);
    Grid<float> four(4, 2);
    expect_equal("what gradients returns",
                 subject::gradients(wte, mix, worse, worse, none, four, square) == Loss{mismatch}, true);
    for (const Grid<float>* each : {&out, &square, &oblong, &four})
        expect_untouched("what a refused call could have written", *each);

    Grid<float> weights = filled(3, 2, 5);
    expect_status(subject::update(filled(2, 3, 1), -1, weights), mismatch);
    expect_status(subject::update(filled(3, 2, 1), -1, weights), bad_rate);
    expect_identical("weights", weights, filled(3, 2, 5));
    std::vector<float> three(3, 5), two(2, 5);
    expect_status(subject::cosines(wte, -1, two), mismatch);
    expect_status(subject::cosines(wte, -1, three), id(0, -1));
    expect_status(subject::cosines(wte, 3, three), id(0, 3));
    expect_identical("out", three, std::vector<float>(3, 5));
}

TEST_CASE("finite differences of every parameter") {
    // Central differences with steps of 1e-5 are off by 2e-11 times a third derivative, which is below 1,000
    // for parameters of this size; the rounding of the losses adds 1e-10, and the gradient is rounded once.
    Random random = harness::random();
    constexpr std::size_t V = 5, C = 3;
    const Model model = random_model(random, V, C);
    const Tokens ids{4, 0, 4, 2, 1}, targets{0, 1, 1, 4, -7}; // token 3 is neither read nor wanted
    std::vector<double> parameters;
    for (const Grid<float>* each : {&model.wte, &model.mix})
        parameters.insert(parameters.end(), each->cells().begin(), each->cells().end());
    const auto loss = [&] {
        const double* wte = parameters.data();
        const double* mix = wte + V * C;
        double sum = 0;
        for (std::size_t n = 0; n < 4; ++n) { // the last position does not count
            double x[V] = {};
            for (std::size_t v = 0; v < V; ++v)
                for (std::size_t k = 0; k < C; ++k)
                    for (std::size_t c = 0; c < C; ++c)
                        x[v] +=
                            wte[static_cast<std::size_t>(ids[n]) * C + k] * mix[k * C + c] * wte[v * C + c];
            double inverse = 0; // of the target's p
            for (const double each : x)
                inverse += std::exp(each - x[targets[n]]);
            sum += std::log(inverse);
        }
        return sum / 4;
    };
    std::vector<double> slopes;
    constexpr double h = 1e-5;
    for (double& parameter : parameters) {
        const double at = parameter;
        parameter = at + h;
        const double above = loss();
        parameter = at - h;
        slopes.push_back((above - loss()) / (2 * h));
        parameter = at;
    }
    const Gradients got = gradients_of(model, ids, targets, -7);
    std::vector<float> all(got.dwte.cells().begin(), got.dwte.cells().end());
    all.insert(all.end(), got.dmix.cells().begin(), got.dmix.cells().end());
    expect_close("the gradient of each parameter", all, slopes, {.abs = 2e-8, .rel = 2 * u});
}

TEST_CASE("the gradients fit each other") {
    // Logits are linear in mix and quadratic in wte, so that Euler's theorem binds the two gradients without
    // a word of softmax: <wte, dwte> = 2 <mix, dmix>. With wte and mix in the same basis turned by a half
    // (all channels negative) the loss is the same, and dwte has the other sign.
    Random random = harness::random();
    for (const std::size_t V : {2, 7, 40}) {
        INFO("V = ", V);
        const Model model = random_model(random, V, 6);
        const Tokens ids = random_ids(random, 9, V), targets = random_ids(random, 9, V);
        const Gradients got = gradients_of(model, ids, targets, none);
        const Witness want = model.witness(ids, targets, none);
        double from_wte = 0, from_mix = 0, bound = 0;
        for (std::size_t i = 0; i < model.wte.cells().size(); ++i) {
            from_wte += number(model.wte.cells()[i]) * number(got.dwte.cells()[i]);
            bound += std::abs(number(model.wte.cells()[i])) * want.wte_bound.cells()[i];
        }
        for (std::size_t i = 0; i < model.mix.cells().size(); ++i) {
            from_mix += number(model.mix.cells()[i]) * number(got.dmix.cells()[i]);
            bound += 2 * std::abs(number(model.mix.cells()[i])) * want.mix_bound.cells()[i];
        }
        expect_near("<wte, dwte>, against 2 <mix, dmix>", from_wte, 2 * from_mix, bound);

        Model turned = model;
        for (float& each : turned.wte.cells())
            each = -each;
        Grid<float> negative = gradients_of(turned, ids, targets, none).dwte;
        for (float& each : negative.cells())
            each = -each;
        expect_close("dwte of the negative table", negative, got.dwte, {.abs = 1e-12, .rel = 2 * u});
    }
}

TEST_CASE("random batches stay within their rounding") {
    // Stretches of ignored targets as long as whatever batches are cut into, and counted ones after them.
    Random stream = constructed();
    for (const std::size_t ignored : {8, 16, 32, 64, 128, 256}) {
        INFO(ignored, " ignored targets before others");
        const Model model = random_model(stream, 5, 3);
        const Tokens ids = random_ids(stream, 2 * ignored + 3, 5);
        Tokens targets = random_ids(stream, ids.size(), 5);
        std::fill_n(targets.begin(), ignored, -100);
        expect_learning(model, ids, targets, -100);
        expect_step(model, ids, targets, -100, 0.7F);
    }
    for_random_sizes(10, {{"N", 0, 12}, {"V", 1, 30}, {"C", 0, 12}, {"ignored", 0, 3}},
                     [](const Sizes& size, Random& random) {
                         const Model model = random_model(random, size["V"], size["C"]);
                         const Tokens ids = random_ids(random, size["N"], size["V"]);
                         Tokens targets = random_ids(random, size["N"], size["V"]);
                         for (TokenId& target : targets)
                             if (random.chance(0.25 * static_cast<double>(size["ignored"]))) target = -100;
                         expect_learning(model, ids, targets, -100);
                         expect_step(model, ids, targets, -100, 0.7F);
                     });
}

TEST_CASE("training on another text brings its classes together, too") {
    // Five classes of five words. A sentence is one of three tokens that come before a class, a word of the
    // class, and one of three tokens that come after it. The order of the tokens in the vocabulary is random.
    constexpr std::size_t classes = 5, words = 5, around = 3, V = classes * (words + 2 * around), C = 8;
    Random random = constructed();
    Tokens name(V);
    for (std::size_t i = 0; i < V; ++i) {
        const std::size_t j = random.size(0, i);
        name[i] = name[j];
        name[j] = static_cast<TokenId>(i);
    }
    const auto token = [&](std::size_t of_class, std::size_t place) {
        return name[of_class * (words + 2 * around) + place];
    };
    Tokens ids, targets;
    for (int sentence = 0; sentence < 400; ++sentence) {
        const std::size_t k = random.size(0, classes - 1), a = random.size(0, around - 1);
        const std::size_t w = random.size(0, words - 1), z = random.size(0, around - 1);
        const TokenId three[] = {token(k, words + a), token(k, w), token(k, words + around + z)};
        ids.insert(ids.end(), {three[0], three[1], three[2]});
        targets.insert(targets.end(), {three[1], three[2], corpus::ignored});
    }
    std::map<std::size_t, std::size_t> class_of;
    for (std::size_t k = 0; k < classes; ++k)
        for (std::size_t w = 0; w < words; ++w)
            class_of[static_cast<std::size_t>(token(k, w))] = k;
    Model model = fresh(V, C, 99, 0.3F);
    train(model, ids, targets, 240, 120, 1.5F);
    const double loss = subject::evaluate(model.wte, model.mix, ids, targets, corpus::ignored).mean;
    const double least = smallest_loss(ids, targets, corpus::ignored);
    expect_true("the loss is at most 0.3 above the smallest there is, and is " + std::to_string(loss),
                loss <= least + 0.3);
    const std::size_t right = in_their_class(model.wte, class_of);
    expect_true("at least 90 % of the words have their nearest neighbour in their class: " +
                    std::to_string(right) + " of 25",
                right >= 23);
}

TEST_CASE("every function at every boundary of its sizes") {
    adverse_initialise().also({{{"V", 50'257}, {"C", 4}}}).sizes();
    adverse_evaluate().also({{{"V", 50'257}, {"C", 4}, {"N", 2}}}).sizes();
    adverse_gradients().also({{{"V", 50'257}, {"C", 4}, {"N", 2}}}).sizes();
    adverse_update().also({{{"R", 50'257}, {"C", 4}}}).sizes();
    adverse_step().also({{{"V", 50'257}, {"C", 4}, {"N", 2}}}).sizes();
    adverse_cosines().also({{{"V", 50'257}, {"C", 4}}}).sizes();
}

TEST_CASE("every function where rows lie apart") {
    adverse_initialise().gaps();
    adverse_evaluate().gaps();
    adverse_gradients().gaps();
    adverse_update().gaps();
    adverse_step().gaps();
    adverse_cosines().gaps();
}

TEST_CASE("every function with empty axes") {
    adverse_initialise().empty_axes();
    adverse_evaluate().empty_axes();
    adverse_gradients().empty_axes();
    adverse_update().empty_axes();
    adverse_step().empty_axes();
    adverse_cosines().empty_axes();
}

TEST_CASE("every function with special values and refusals") {
    // Pairs of an id and a target that are equal as one number of 32 bits.
    Random stream = constructed();
    const Model many_tokens = random_model(stream, std::size_t{1} << 17, 1);
    constexpr TokenId step_of_32_bits = 1 << 15;
    expect_learning(many_tokens, {0, step_of_32_bits, 2 * step_of_32_bits, 0, step_of_32_bits},
                    {5, 5, 5, 6, 6}, none);
    // Two parameters that are one memory, since neither is written.
    const Grid<float> memory = spread_out(stream, 8, 4, 0.7);
    const Table dense(memory.cells().data(), 4, 4, 4), apart(memory.cells().data(), 4, 4, 8);
    for (const auto& [wte, mix] : {std::pair{dense, apart}, {apart, dense}}) {
        const Tokens ids{0, 3, 1}, targets{1, 2, 0};
        const Witness want(wte, mix, ids, targets, none);
        const Loss loss = subject::evaluate(wte, mix, ids, targets, none);
        expect_status(loss.status, Status{});
        expect_near("the mean of two parameters in one memory", loss.mean, want.mean, want.mean_bound);
    }
    // A second parameter that is next to the identity is not the identity.
    for (const float off : {0x1p-24F, 0x1p-20F}) {
        Model model = random_model(stream, 6, 4);
        for (float& value : model.wte.cells())
            value *= 1'000;
        model.mix.fill(off);
        for (std::size_t c = 0; c < 4; ++c)
            model.mix(c, c) = 1 - (c == 2 ? 0 : off);
        expect_learning(model, {0, 3, 5, 1}, {1, 2, 0, 4}, none);
    }
    // Logits below the lowest float: these are doubles.
    for (const std::size_t V : {1, 2}) {
        Model model = random_model(stream, V, 1);
        model.wte.fill(0x1p60F);
        model.mix.fill(-0x1p30F);
        const Tokens targets(2, static_cast<TokenId>(V - 1));
        const Witness want = model.witness({0, 0}, targets, none);
        const Loss loss = subject::evaluate(model.wte, model.mix, Tokens{0, 0}, targets, none);
        expect_status(loss.status, Status{});
        expect_near("the mean where all logits are equal, and huge", loss.mean, want.mean, want.mean_bound);
    }
    adverse_initialise().special_cases();
    adverse_evaluate().special_cases();
    adverse_gradients().special_cases();
    adverse_update().special_cases();
    adverse_step().special_cases();
    adverse_cosines().special_cases();
}

TEST_CASE("every function after other calls") {
    adverse_initialise().history();
    // Enough work for threads, whose order must not show.
    const Extents much{{"V", 203}, {"C", 24}, {"N", 301}};
    adverse_evaluate().also({much}).history();
    adverse_gradients().also({much}).history();
    adverse_update().history();
    adverse_step().also({much}).history();
    adverse_cosines().history();
    adverse_evaluate().after(adverse_gradients());
    adverse_gradients().after(adverse_evaluate());
    adverse_gradients().after(adverse_step());
    adverse_step().after(adverse_evaluate());
    adverse_step().after(adverse_gradients());
}

TEST_CASE("parameters beyond element 2^32" * large) {
    adverse_initialise().far();
}

TEST_CASE("losses of a table beyond element 2^32" * large) {
    adverse_evaluate().far();
}

TEST_CASE("gradients beyond element 2^32" * large) {
    adverse_gradients().far();
}

TEST_CASE("updates beyond element 2^32" * large) {
    adverse_update().far();
}

TEST_CASE("steps beyond element 2^32" * large) {
    adverse_step().far();
}

TEST_CASE("cosines beyond element 2^32" * large) {
    adverse_cosines().far();
}

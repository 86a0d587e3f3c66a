#include "harness/suite.h"
#include "harness/adversity/adverse.h"
#include "subject/proxies.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

// V: vocabulary size, P: positions, C: channels, B: batch, T: time (tokens of a sequence), N: rows, L: layers
using namespace contract;
using namespace harness;

// Bounds. One rounding to float changes a value by at most u = 2^-24 of it. The contract asks for sums in
// double, whose own errors are below 1e-13 here, and leaves every other operation free to be in float. To
// first order, with kappa = max |x| / sqrt(variance + eps):
//   sqrt(C) * a + b   root and product 2 u |sqrt(C) a|, sum u |sqrt(C) a + b|
//   xhat              mean rounded to float: u kappa; difference, root, quotient: 5 u |xhat|; the rounded
//   mean
//                     enlarges the variance by its square: u^2 kappa^2 / 2 of |xhat|
//   gain xhat + bias  |gain| times the error of xhat, the product u |gain xhat|, the sum u |out|
//   dx                see GradientBounds
//   a sum of n terms that is kept in float: n u (sum of their absolute values)
// Every bound below is twice this, which pays for the second order.
namespace {

constexpr double u = 0x1p-24;
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

// The statement's tables: token v is v + (0, 1/4, 1/2, 3/4), position p is 10 p + (1, 2, 3, 4).
Grid<float> tokens() {
    return Grid<float>(3, 4,
                       {0.0F, 0.25F, 0.5F, 0.75F, //
                        1.0F, 1.25F, 1.5F, 1.75F, //
                        2.0F, 2.25F, 2.5F, 2.75F});
}
Grid<float> positions() {
    return Grid<float>(2, 4,
                       {1.0F, 2.0F, 3.0F, 4.0F, //
                        11.0F, 12.0F, 13.0F, 14.0F});
}

std::vector<float> random_values(Random& random, std::size_t count) {
    std::vector<float> values(count);
    for (float& value : values)
        value = static_cast<float>(random.normal());
    return values;
}

/// Integers in [-9, 9]: with a C whose root is whole, every product and sum of them is exact in float.
template <class Tensor>
void fill_with_integers(Random& random, Tensor& tensor) {
    for (float& value : tensor.cells())
        value = static_cast<float>(random.integer(-9, 9));
}

/// Runs `embed_scaled` and holds it against the sum in double.
void expect_scaled_sum(const Grid<float>& wte, const Grid<float>& wpe, const Grid<TokenId>& ids) {
    const std::size_t B = ids.rows(), T = ids.cols(), C = wte.cols();
    const double scale = std::sqrt(static_cast<double>(C));
    Cube<float> out(B, T, C);
    Cube<double> want(B, T, C), bound(B, T, C);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            for (std::size_t c = 0; c < C; ++c) {
                const double token = scale * wte(static_cast<std::size_t>(ids(b, t)), c);
                want(b, t, c) = token + wpe(t, c);
                bound(b, t, c) = 2 * u * (2 * std::abs(token) + std::abs(want(b, t, c)));
            }
    expect_status(subject::embed_scaled(wte, wpe, ids, out), Status{});
    expect_within("out", out, want, bound);
}

/// One row of LayerNorm from its definition, in double.
struct Row {
    std::vector<double> xhat;
    double factor = 0; ///< 1 / sqrt(variance + eps)
    double kappa = 0;

    Row(std::span<const double> x, double eps) {
        const auto C = static_cast<double>(x.size());
        double mean = 0, variance = 0, largest = 0;
        for (const double value : x)
            mean += value / C;
        for (const double value : x) {
            variance += (value - mean) * (value - mean) / C;
            largest = std::max(largest, std::abs(value));
        }
        factor = 1 / std::sqrt(variance + eps);
        kappa = largest * factor;
        for (const double value : x)
            xhat.push_back((value - mean) * factor);
    }

    double error(std::size_t c) const {
        return u * (kappa + 5 * std::abs(xhat[c])) + u * u * kappa * kappa / 2 * std::abs(xhat[c]);
    }
    double largest() const {
        double most = 0;
        for (const double value : xhat)
            most = std::max(most, std::abs(value));
        return most;
    }
    double largest_error() const {
        double most = 0;
        for (std::size_t c = 0; c < xhat.size(); ++c)
            most = std::max(most, error(c));
        return most;
    }
};

std::vector<double> in_double(std::span<const float> values) {
    return {values.begin(), values.end()};
}

/// Runs `layernorm_rows` and holds it against the definition.
void expect_normalised(const Grid<float>& x, std::span<const float> gain, std::span<const float> bias,
                       float eps) {
    Grid<float> out(x.rows(), x.cols());
    Grid<double> want(x.rows(), x.cols()), bound(x.rows(), x.cols());
    for (std::size_t r = 0; r < x.rows(); ++r) {
        const Row row(in_double(x.row(r)), eps);
        for (std::size_t c = 0; c < x.cols(); ++c) {
            const double scaled = gain[c] * row.xhat[c];
            want(r, c) = scaled + bias[c];
            bound(r, c) =
                2 * (std::abs(gain[c]) * row.error(c) + u * std::abs(scaled) + u * std::abs(want(r, c)));
        }
    }
    expect_status(subject::layernorm_rows(x, gain, bias, eps, out), Status{});
    expect_within("out", out, want, bound);
}

struct Gradients {
    Grid<float> dx;
    std::vector<float> dgain, dbias;

    Gradients(std::size_t N, std::size_t C) : dx(N, C), dgain(C, 0.0F), dbias(C, 0.0F) {}
};

/// How far dx, dgain and dbias may be off. With g = dout * gain, D = |g[c]|, M = mean |g|, X = max |xhat| and
/// E the largest error of an xhat in the row:
///   mean g and mean g xhat are off by u M and by M E + 2 u X M, their products and differences by u each,
///   so dx is off by factor * (8 u (D + M + |xhat| X M) + M E (X + |xhat|)).
struct GradientBounds {
    Grid<double> dx;
    std::vector<double> dgain, dbias;

    GradientBounds(const Grid<float>& x, std::span<const float> gain, double eps, const Grid<float>& dout,
                   std::span<const float> dgain_before, std::span<const float> dbias_before)
        : dx(x.rows(), x.cols()), dgain(x.cols()), dbias(x.cols()) {
        const auto n = static_cast<double>(x.rows());
        for (std::size_t c = 0; c < x.cols(); ++c) {
            dgain[c] = 2 * (n + 1) * u * std::abs(dgain_before[c]);
            dbias[c] = 2 * (n + 1) * u * std::abs(dbias_before[c]);
        }
        for (std::size_t r = 0; r < x.rows(); ++r) {
            const Row row(in_double(x.row(r)), eps);
            const double X = row.largest(), E = row.largest_error();
            double M = 0;
            for (std::size_t c = 0; c < x.cols(); ++c)
                M += std::abs(dout(r, c) * gain[c]) / static_cast<double>(x.cols());
            for (std::size_t c = 0; c < x.cols(); ++c) {
                const double D = std::abs(dout(r, c) * gain[c]), h = std::abs(row.xhat[c]);
                dx(r, c) = 2 * row.factor * (8 * u * (D + M + h * X * M) + M * E * (X + h));
                dgain[c] += 2 * std::abs(dout(r, c)) * (row.error(c) + (n + 2) * u * h);
                dbias[c] += 2 * (n + 1) * u * std::abs(dout(r, c));
            }
        }
    }
};

/// sum dout * (gain * xhat + bias) over all rows, in double: the loss whose gradient is asked for.
double loss(const Grid<double>& x, std::span<const double> gain, std::span<const double> bias, double eps,
            const Grid<float>& dout) {
    double sum = 0;
    for (std::size_t r = 0; r < x.rows(); ++r) {
        const Row row(x.row(r), eps);
        for (std::size_t c = 0; c < x.cols(); ++c)
            sum += dout(r, c) * (gain[c] * row.xhat[c] + bias[c]);
    }
    return sum;
}

/// Central difference of `f` in `variable`. The step is the cube root of double's epsilon, at which cutting
/// off the series and rounding cost about the same: some 1e-10 of the values here.
template <class Function>
double derivative(double& variable, const Function& f) {
    constexpr double step = 6e-6;
    const double at = variable;
    variable = at + step;
    const double above = f();
    variable = at - step;
    const double below = f();
    variable = at;
    return (above - below) / (2 * step);
}
constexpr double difference_error = 1e-7;

const std::vector<float> one4(4, 1.0F), zero4(4, 0.0F);

/// What the contract allows, and one rounding because the expected value is rounded itself.
auto adverse_scaled() {
    const Dim rows_of_wpe([](const Extents& size) { return size["T"] + size["P - T"]; });
    return Adverse("embed_scaled", subject::embed_scaled, &reference::embed_scaled,
                   {{.name = "V", .ordinary = 6},
                    {.name = "C", .ordinary = 3},
                    {.name = "B", .ordinary = 2},
                    {.name = "T", .ordinary = 4},
                    {.name = "P - T", .ordinary = 2}},
                   matrix_in("wte", "V", "C", {normal(), {{"NaN and infinities", nan_and_infinity()}}}),
                   matrix_in("wpe", rows_of_wpe, "C",
                             {normal(), {{"NaN and infinities", nan_and_infinity()}}},
                             Checked::limit_and_cols),
                   id_matrix("ids", "B", "T", "V"), tensor_out("out", "B", "T", "C"))
        .bounds("out", [](const auto& wte, const auto& wpe, const Ids2D& ids, const auto& out) {
            std::vector<double> bounds(out.batch * out.time * out.channels);
            const double root = std::sqrt(static_cast<double>(wte.cols));
            std::size_t i = 0;
            for (std::size_t b = 0; b < out.batch; ++b)
                for (std::size_t t = 0; t < out.time; ++t)
                    for (std::size_t c = 0; c < out.channels; ++c, ++i) {
                        if (b >= ids.rows || t >= std::min(ids.cols, wpe.rows) ||
                            c >= std::min(wte.cols, wpe.cols))
                            continue; // refused
                        const auto id = static_cast<std::size_t>(ids(b, t));
                        if (ids(b, t) < 0 || id >= wte.rows) continue;
                        const double token = std::abs(root * wte(id, c));
                        bounds[i] = 2 * u * (2 * token + std::abs(root * wte(id, c) + wpe(t, c))) +
                                    u * std::abs(root * wte(id, c) + wpe(t, c));
                    }
            return bounds;
        });
}

auto adverse_scaled_backward() {
    const Dim rows_of_dwpe([](const Extents& size) { return size["T"] + size["P - T"]; });
    const Contents gradients{fractions(), {{"NaN payloads and infinities", nan_and_infinity()}}};
    return Adverse("embed_scaled_backward", subject::embed_scaled_backward, &reference::embed_scaled_backward,
                   {{.name = "C", .ordinary = 3},
                    {.name = "B", .ordinary = 2},
                    {.name = "T", .ordinary = 4},
                    {.name = "P - T", .ordinary = 2}},
                   tensor_in("dout", "B", "T", "C", gradients), tensor_out("dtokens", "B", "T", "C"),
                   matrix_sum("dwpe", rows_of_dwpe, "C", gradients, Checked::limit_and_cols))
        .rule("dtokens", {.kind = Rule::Kind::close, .tolerance = {.rel = 5 * u}})
        .rule("dwpe", {.kind = Rule::Kind::values}) // sums of fractions are exact
        .exact("dwpe", [](const auto& dout, const auto&, const auto& dwpe) {
            return [B = dout.batch, T = dout.time, C = dwpe.cols](std::size_t i) {
                return B == 0 || i / C >= T;
            };
        });
}

Parameter<float> any_eps() {
    return value<float>(
        "eps",
        [](const Extents&, Random&) {
            return Named<float>{"1e-5", 1e-5F};
        },
        [](const Extents&) {
            return std::vector<Named<float>>{{"1e-12", 1e-12F},
                                             {"1e-40", 1e-40F},
                                             {"1", 1},
                                             {"0", 0, true},
                                             {"-0", -0.0F, true},
                                             {"-1e-45", -1e-45F, true},
                                             {"-1", -1, true},
                                             {"NaN", not_a_number, true},
                                             {"NaN with its sign", -not_a_number, true},
                                             {"infinity", infinity, true},
                                             {"-infinity", -infinity, true}};
        });
}

const std::vector<ExtentDomain> rows_and_channels{{.name = "N", .ordinary = 3}, {.name = "C", .ordinary = 5}};

std::vector<double> row_in_double(const Matrix<const float>& x, std::size_t r) {
    return {x.row(r), x.row(r) + x.cols};
}
bool accepted_eps(float eps) {
    return eps > 0 && std::isfinite(eps);
}

auto adverse_layernorm() {
    return Adverse("layernorm_rows", subject::layernorm_rows, &reference::layernorm_rows, rows_and_channels,
                   matrix_in("x", "N", "C",
                             {normal(),
                              {{"some NaN", some_nan()},
                               {"values around 10,000", around(10'000)},
                               {"tiny values", tiny()},
                               {"nearly equal values", nearly_equal()}}}),
                   span_in("gain", "C", {normal(), {{"zeros", constant(0)}}}),
                   span_in("bias", "C", {normal(), {}}), any_eps(), matrix_out("out", "N", "C"))
        .bounds("out", [](const auto& x, const auto& gain, const auto& bias, float eps, const auto& out) {
            std::vector<double> bounds(out.rows * out.cols);
            if (!accepted_eps(eps) || out.rows != x.rows || out.cols != x.cols || gain.size() != x.cols ||
                bias.size() != x.cols)
                return bounds; // refused
            for (std::size_t r = 0; r < x.rows; ++r) {
                const Row row(row_in_double(x, r), eps);
                for (std::size_t c = 0; c < x.cols; ++c) {
                    const double scaled = gain[c] * row.xhat[c], value = scaled + bias[c];
                    bounds[r * x.cols + c] =
                        2 * (std::abs(gain[c]) * row.error(c) + u * std::abs(scaled) + u * std::abs(value)) +
                        u * std::abs(value);
                }
            }
            return bounds;
        });
}

/// The bounds of one of the three outputs, with one rounding of the expected value.
template <class Pick>
auto gradient_bounds(Pick pick,
                     std::size_t (*size)(const Matrix<float>&, std::span<float>, std::span<float>)) {
    return [pick, size](const Matrix<const float>& x, std::span<const float> gain, float eps,
                        const Matrix<const float>& dout, const Matrix<float>& dx, std::span<float> dgain,
                        std::span<float> dbias) {
        const std::size_t C = x.cols;
        std::vector<double> bounds(size(dx, dgain, dbias));
        if (!accepted_eps(eps) || gain.size() != C || dout.rows != x.rows || dout.cols != C ||
            dx.rows != x.rows || dx.cols != C || dgain.size() != C || dbias.size() != C)
            return bounds; // refused
        Grid<float> values(x.rows, C), given(x.rows, C), dx_wanted(x.rows, C);
        for (std::size_t r = 0; r < x.rows; ++r) {
            std::copy_n(x.row(r), C, values.row(r).begin());
            std::copy_n(dout.row(r), C, given.row(r).begin());
        }
        const GradientBounds all(values, gain, eps, given, dgain, dbias);
        const auto& picked = pick(all);
        // Rounding the expected value is below an eighth of each bound.
        for (std::size_t i = 0; i < bounds.size(); ++i)
            bounds[i] = 1.25 * picked[i];
        return bounds;
    };
}

auto adverse_layernorm_backward() {
    return Adverse("layernorm_rows_backward", subject::layernorm_rows_backward,
                   &reference::layernorm_rows_backward, rows_and_channels,
                   matrix_in("x", "N", "C",
                             {normal(), {{"tiny values", tiny()}, {"nearly equal values", nearly_equal()}}}),
                   span_in("gain", "C", {normal(), {{"zeros", constant(0)}}}), any_eps(),
                   matrix_in("dout", "N", "C", {normal(), {{"some NaN", some_nan()}}}, Checked::all),
                   matrix_out("dx", "N", "C"), span_sum("dgain", "C", {normal(), {}}),
                   span_sum("dbias", "C", {normal(), {}}))
        .bounds("dx", gradient_bounds([](const GradientBounds& all) { return all.dx.cells(); },
                                      [](const Matrix<float>& dx, std::span<float>, std::span<float>) {
                                          return dx.rows * dx.cols;
                                      }))
        .bounds("dgain", gradient_bounds([](const GradientBounds& all) { return std::span(all.dgain); },
                                         [](const Matrix<float>&, std::span<float> dgain, std::span<float>) {
                                             return dgain.size();
                                         }))
        .bounds("dbias", gradient_bounds([](const GradientBounds& all) { return std::span(all.dbias); },
                                         [](const Matrix<float>&, std::span<float>, std::span<float> dbias) {
                                             return dbias.size();
                                         }));
}

Parameter<Config> any_config() {
    return value<Config>(
        "config",
        [](const Extents&, Random& random) {
            Config config{random.size(1, 1'000), random.size(1, 100), random.size(1, 100), random.size(1, 9)};
            return Named<Config>{"small", config};
        },
        [](const Extents&) {
            const Config base{1'000, 100, 8, 3};
            std::vector<Named<Config>> list;
            const auto add = [&](std::string words, auto&& change) {
                Config config = base;
                change(config);
                list.push_back({std::move(words), config});
                config.tied = false;
                config.precision = Precision::bf16;
                config.embedding_norm = true;
                list.push_back({list.back().words + ", with bf16, a norm and a head of its own", config});
            };
            add("ordinary", [](Config&) {});
            for (const std::uint64_t size : {0ULL, 1ULL, 1ULL << 31, (1ULL << 32) + 1, 1ULL << 40}) {
                add("one with V = " + std::to_string(size),
                    [=](Config& config) { config.vocabulary = size; });
                add("one with P = " + std::to_string(size), [=](Config& config) { config.positions = size; });
                add("one with L = " + std::to_string(size), [=](Config& config) { config.layers = size; });
            }
            add("one with L = 2^45 + 1", [](Config& config) { config.layers = (1ULL << 45) + 1; });
            for (const std::uint64_t size : {0ULL, 1ULL, 65'537ULL, 1ULL << 22})
                add("one with C = " + std::to_string(size), [=](Config& config) { config.channels = size; });
            add("one with C = 2^33 + 1 and L = 0", [](Config& config) {
                config.channels = (1ULL << 33) + 1;
                config.layers = 0;
            });
            add("one whose counts have more bits than a double", [](Config& config) {
                config = {(1ULL << 31) - 1, 1ULL << 20, (1ULL << 24) + 1, 1};
            });
            // All bytes together fit, but not when they are counted in bits.
            add("one with almost all bytes that 64 bits count", [](Config& config) {
                config = {(1ULL << 55) - 1, 0, 15, 0};
            });
            add("one with a block that has more parameters than a double counts", [](Config& config) {
                config = {3, 1, 30'000'001, 1};
            });
            return list;
        });
}

/// Compares the gradients of normalised rows with the reference's; the rows of `dx` lie 3 S elements apart.
void expect_normalised_gradients(const Grid<float>& x, const Grid<float>& dout,
                                 const std::vector<float>& gain, std::size_t S, Random& random) {
    constexpr float eps = 1e-3F;
    const std::size_t N = x.rows(), C = x.cols();
    Grid<float> dx(N, C, C + 3 * S);
    Gradients got(N, C), want(N, C);
    got.dgain = random_values(random, C), got.dbias = random_values(random, C);
    want.dgain = got.dgain, want.dbias = got.dbias;
    const GradientBounds bound(x, gain, eps, dout, got.dgain, got.dbias);
    expect_status(subject::layernorm_rows_backward(x, gain, eps, dout, dx, got.dgain, got.dbias),
                  reference::layernorm_rows_backward(x, gain, eps, dout, want.dx, want.dgain, want.dbias));
    expect_within("dx", dx, want.dx, bound.dx);
    expect_within("dgain", got.dgain, want.dgain, bound.dgain);
    expect_within("dbias", got.dbias, want.dbias, bound.dbias);
}

} // namespace

TEST_CASE("the token part is scaled and the position part is not") {
    // Nothing is rounded here, not even below the normal numbers.
    for (const float unit : {1.0F, 0x1p-140F}) {
        INFO("in units of ", unit);
        Grid<float> wte = tokens(), wpe = positions();
        Cube<float> out(2, 2, 4), want(2, 2, 4,
                                       {5.0F, 6.5F, 8.0F, 9.5F,     //
                                        11.0F, 12.5F, 14.0F, 15.5F, //

                                        3.0F, 4.5F, 6.0F, 7.5F, //
                                        15.0F, 16.5F, 18.0F, 19.5F});
        for (const std::span<float> cells : {wte.cells(), wpe.cells(), want.cells()})
            for (float& cell : cells)
                cell *= unit;
        expect_status(subject::embed_scaled(wte, wpe, Grid<TokenId>(2, 2, {2, 0, 1, 2}), out), Status{});
        expect_identical("out", out, want);
    }
}

TEST_CASE("a zero token leaves the position bit for bit") {
    Random random = harness::random();
    for (const std::size_t C : {3, 4, 768}) {
        Grid<float> wte(1, C);
        wte.fill(0.0F);
        const auto wpe = random_grid<float>(random, 3, C);
        Cube<float> out(1, 3, C), want(1, 3, C);
        std::ranges::copy(wpe.cells(), want.cells().begin());
        expect_status(subject::embed_scaled(wte, wpe, Grid<TokenId>(1, 3, {0, 0, 0}), out), Status{});
        expect_identical("out", out, want);
    }
}

TEST_CASE("a zero position leaves the token times the root of the width") {
    Random random = harness::random();
    for (const std::size_t C : {2, 3, 7, 64, 768, 1600}) {
        Grid<float> wpe(2, C);
        wpe.fill(0.0F);
        expect_scaled_sum(random_grid<float>(random, 5, C), wpe, Grid<TokenId>(2, 2, {4, 1, 0, 3}));
    }
}

TEST_CASE("sums of random shapes agree with the definition") {
    for_random_sizes(20, {{"V", 1, 30}, {"C", 2, 33}, {"B", 1, 4}, {"T", 1, 7}, {"E", 0, 3}, {"S", 0, 3}},
                     [](const Sizes& size, Random& random) {
                         const std::size_t C = size["C"], stride = C + size["S"];
                         expect_scaled_sum(random_grid<float>(random, size["V"], C, stride),
                                           random_grid<float>(random, size["T"] + size["E"], C, stride + 1),
                                           random_id_grid(random, size["B"], size["T"], size["V"]));
                     });
}

TEST_CASE("an embedding that does not fit is refused and nothing is written") {
    const auto expect_refused = [](const Grid<float>& wpe, const Grid<TokenId>& ids, std::size_t B,
                                   std::size_t T, std::size_t C, Status status) {
        Cube<float> out(B, T, C);
        expect_status(subject::embed_scaled(tokens(), wpe, ids, out), status);
        expect_untouched("out", out);
    };
    const Grid<TokenId> good(2, 2, {2, 0, 1, 2}), long_one(1, 3, {0, 1, 7});
    const Status mismatch{Code::shape_mismatch};
    expect_refused(positions(), good, 1, 2, 4, mismatch);
    expect_refused(positions(), good, 2, 1, 4, mismatch);
    expect_refused(positions(), good, 2, 2, 5, mismatch);
    expect_refused(Grid<float>(2, 3), good, 2, 2, 4, mismatch);
    expect_refused(positions(), long_one, 1, 3, 4, Status{Code::position_out_of_range, 2, 2, 2});
    expect_refused(positions(), Grid<TokenId>(2, 2, {2, 0, 3, -1}), 2, 2, 4,
                   Status{Code::id_out_of_range, 2, 3, 3});
    expect_refused(positions(), Grid<TokenId>(2, 2, {0, 1, 2, -1}), 2, 2, 4,
                   Status{Code::id_out_of_range, 3, -1, 3});
    expect_refused(positions(), Grid<TokenId>(2, 2, {0, 1, -1, 2}), 2, 2, 4,
                   Status{Code::id_out_of_range, 2, -1, 3});
    expect_refused(positions(), Grid<TokenId>(2, 2, {3, 0, 1, 2}), 2, 2, 4,
                   Status{Code::id_out_of_range, 0, 3, 3});
}

TEST_CASE("the gradient carries the same factor") {
    const Cube<float> dout(2, 2, 4,
                           {1.0F, 2.0F, 3.0F, 4.0F, //
                            0.0F, 0.5F, 0.0F, 0.0F, //

                            10.0F, 0.0F, 0.0F, -1.0F, //
                            0.0F, 0.25F, 0.0F, 6.0F});
    Cube<float> dtokens(2, 2, 4), doubled(2, 2, 4);
    Grid<float> dwpe(3, 4);
    dwpe.fill(100.0F);
    for (std::size_t i = 0; i < dout.cells().size(); ++i)
        doubled.cells()[i] = 2 * dout.cells()[i];
    expect_status(subject::embed_scaled_backward(dout, dtokens, dwpe), Status{});
    expect_identical("dtokens", dtokens, doubled);
    expect_identical("dwpe", dwpe,
                     Grid<float>(3, 4,
                                 {111.0F, 102.0F, 103.0F, 103.0F,  //
                                  100.0F, 100.75F, 100.0F, 106.0F, //
                                  100.0F, 100.0F, 100.0F, 100.0F}));
    // Where the root is a whole number, its products with few bits are exact, on the way back as well.
    for (std::size_t root = 1; root <= 40; ++root) {
        const std::size_t C = root * root;
        INFO("C = ", C);
        Cube<float> small(1, 1, C), product(1, 1, C), back(1, 1, C), there(1, 1, C);
        Grid<float> table(1, C), none(1, C);
        none.fill(0);
        for (std::size_t c = 0; c < C; ++c) {
            table(0, c) = small(0, 0, c) = static_cast<float>(c % 64 + 1) * (c % 2 == 0 ? 0.25F : -2.0F);
            product(0, 0, c) = static_cast<float>(root) * small(0, 0, c);
        }
        Grid<float> sums(1, C);
        sums.fill(0);
        expect_status(subject::embed_scaled_backward(small, back, sums), Status{});
        expect_identical("dtokens of few bits", back, product);
        expect_status(subject::embed_scaled(table, none, Grid<TokenId>(1, 1, {0}), there), Status{});
        expect_identical("out of few bits", there, product);
    }
}

TEST_CASE("forward and backward are adjoint") {
    // out = J (wte, wpe) is linear, so <J (a, p), g> = <a, J^T g> + <p, J^T g> for every a, p and g. Integers
    // make each float operation exact, and the two sides equal.
    Random random = harness::random();
    for (const std::size_t C : {4, 9, 16, 64}) {
        const std::size_t B = 3, T = 4, P = 6;
        Grid<float> a(B * T, C), p(P, C), dwpe(P, C);
        Cube<float> g(B, T, C), out(B, T, C), dtokens(B, T, C);
        fill_with_integers(random, a), fill_with_integers(random, p), fill_with_integers(random, g);
        dwpe.fill(0.0F);
        Grid<TokenId> ids(B, T); // one row of the table for each place
        for (std::size_t i = 0; i < B * T; ++i)
            ids.cells()[i] = static_cast<TokenId>(B * T - 1 - i);

        expect_status(subject::embed_scaled(a, p, ids, out), Status{});
        expect_status(subject::embed_scaled_backward(g, dtokens, dwpe), Status{});
        double left = 0, right = 0;
        for (std::size_t i = 0; i < out.cells().size(); ++i) {
            left += static_cast<double>(out.cells()[i]) * g.cells()[i];
            right += static_cast<double>(dtokens.cells()[i]) *
                     a(static_cast<std::size_t>(ids.cells()[i / C]), i % C);
        }
        for (std::size_t i = 0; i < p.cells().size(); ++i)
            right += static_cast<double>(dwpe.cells()[i]) * p.cells()[i];
        expect_near("<J (a, p), g> - <(a, p), J^T g>", left - right, 0, 0);
    }
}

TEST_CASE("position gradients are summed over the batch and added") {
    for_random_sizes(16, {{"B", 1, 5}, {"T", 1, 6}, {"C", 2, 20}, {"E", 0, 3}, {"S", 0, 3}},
                     [](const Sizes& size, Random& random) {
                         const std::size_t B = size["B"], T = size["T"], C = size["C"], P = T + size["E"];
                         const auto dout = spread_cube(random, B, T, C);
                         auto dwpe = random_grid<float>(random, P, C, C + size["S"]);
                         const double scale = std::sqrt(static_cast<double>(C));
                         Cube<float> dtokens(B, T, C);
                         Cube<double> want_tokens(B, T, C), token_bound(B, T, C);
                         Grid<double> want(P, C), bound(P, C);
                         for (std::size_t t = 0; t < P; ++t)
                             for (std::size_t c = 0; c < C; ++c) {
                                 want(t, c) = dwpe(t, c);
                                 double size_of_terms = std::abs(dwpe(t, c));
                                 for (std::size_t b = 0; b < B && t < T; ++b) {
                                     want(t, c) += dout(b, t, c);
                                     size_of_terms += std::abs(dout(b, t, c));
                                     want_tokens(b, t, c) = scale * dout(b, t, c);
                                     token_bound(b, t, c) = 2 * u * 2 * std::abs(want_tokens(b, t, c));
                                 }
                                 bound(t, c) = t < T ? 2 * static_cast<double>(B) * u * size_of_terms : 0;
                             }
                         expect_status(subject::embed_scaled_backward(dout, dtokens, dwpe), Status{});
                         expect_within("dtokens", dtokens, want_tokens, token_bound);
                         expect_within("dwpe", dwpe, want, bound);
                     });
}

TEST_CASE("each row is normalised by its own mean and spread") {
    const Grid<float> x(3, 4,
                        {0.0F, 4.0F, 8.0F, 12.0F, // mean 6, variance 20, and sqrt(20 + 5) = 5
                         7.0F, 7.0F, 7.0F, 7.0F, 10.0F, 10.0F, 10.0F,
                         18.0F}); // mean 12, variance 12, sqrt(17)
    const std::vector<float> gain{1.0F, 2.0F, 0.5F, -1.0F}, bias{0.0F, 1.0F, 10.0F, 0.5F};
    const double root = std::sqrt(17.0);
    Grid<float> out(3, 4);
    expect_status(subject::layernorm_rows(x, gain, bias, 5.0F, out), Status{});
    // Nothing here exceeds 11, so the error is below 10 units of 11 * 2^-24.
    expect_close("out", out,
                 Grid<double>(3, 4,
                              {-1.2, 0.2, 10.2, -0.7, //
                               0.0, 1.0, 10.0, 0.5,   //
                               -2 / root, 1 - 4 / root, 10 - 1 / root, 0.5 - 6 / root}),
                 Tolerance{.abs = 110 * u});
}

TEST_CASE("a normalised row has mean zero and variance one") {
    Random random = harness::random();
    for (const std::size_t C : {16, 768}) {
        Grid<float> x(6, C), out(6, C);
        for (std::size_t r = 0; r < 6; ++r)
            for (float& value : x.row(r))
                value = static_cast<float>(
                    random.normal(3.0 * static_cast<double>(r) - 8, 1.0 + static_cast<double>(r)));
        const std::vector<float> gain(C, 1.0F), bias(C, 0.0F);
        expect_status(subject::layernorm_rows(x, gain, bias, 1e-5F, out), Status{});
        for (std::size_t r = 0; r < 6; ++r) {
            double mean = 0, square = 0;
            for (const float value : out.row(r)) {
                mean += value / static_cast<double>(C);
                square += static_cast<double>(value) * value / static_cast<double>(C);
            }
            expect_near("the mean of a row", mean, 0, 1e-5);
            expect_near("variance of a row", square - mean * mean, 1, 1e-3);
        }
    }
}

TEST_CASE("a constant row becomes the bias") {
    const std::vector<float> gain{3.0F, -2.0F, 0.5F, 7.0F}, bias{1.0F, -4.0F, 0.25F, 100.0F};
    for (const float value : {0.0F, 7.0F, 0.1F, -10'000.0F}) {
        Grid<float> x(2, 4), out(2, 4);
        x.fill(value);
        expect_status(subject::layernorm_rows(x, gain, bias, 1e-5F, out), Status{});
        // The mean in double is off by 1e-16 of 10,000 at most; divided by sqrt(1e-5), times 7: below 1e-8.
        expect_close("out", out, Grid<double>(2, 4, {1, -4, 0.25, 100, 1, -4, 0.25, 100}),
                     Tolerance{.abs = 1e-8, .rel = u});
    }
    // Wide rows of large numbers, whose sums are exact: a difference of large squares can fall below zero.
    constexpr std::size_t rows = 60, C = 768;
    Grid<float> wide(rows, C), level(rows, C), halves(rows, C);
    halves.fill(0.5F);
    Random stream = constructed();
    for (std::size_t r = 0; r < rows; ++r)
        std::fill_n(&wide(r, 0), C, static_cast<float>(2 * stream.integer(1 << 19, (1 << 23) - 1) + 1));
    expect_status(
        subject::layernorm_rows(wide, std::vector<float>(C, 1.0F), std::vector<float>(C, 0.5F), 1e-5F, level),
        Status{});
    expect_close("out of wide rows", level, halves, Tolerance{.abs = 1e-8, .rel = u});
    // Of large ones even the bias has to be left, whose digits a factor of the mean would take away.
    for (const float value : {1e8F, -1e8F, 0x1p40F, 1e30F}) {
        Grid<float> x(2, 4), out(2, 4);
        x.fill(value);
        expect_status(subject::layernorm_rows(x, gain, bias, 1e-5F, out), Status{});
        expect_close("out of large equal values", out,
                     Grid<double>(2, 4, {1, -4, 0.25, 100, 1, -4, 0.25, 100}),
                     Tolerance{.abs = 1e-8, .rel = u});
    }
    // The sum is exact, and so is its quotient by C, but not its product with 1 / C.
    for (const std::size_t columns : {3, 49, 770}) {
        Grid<float> equal(2, columns), out(2, columns), want(2, columns);
        equal.fill(0x1p23F);
        want.fill(0.5F);
        expect_status(subject::layernorm_rows(equal, std::vector<float>(columns, 1.0F),
                                              std::vector<float>(columns, 0.5F), 1e-5F, out),
                      Status{});
        expect_close("out of equal values", out, want, Tolerance{.abs = 1e-8, .rel = u});
    }
    const Grid<float> narrow(3, 1, {5.0F, -1.0F, 1e6F}); // a single channel is always constant
    Grid<float> out(3, 1);
    expect_status(
        subject::layernorm_rows(narrow, std::vector<float>{2.0F}, std::vector<float>{0.75F}, 1e-5F, out),
        Status{});
    expect_identical("out, C = 1", out, Grid<float>(3, 1, {0.75F, 0.75F, 0.75F}));
}

TEST_CASE("a large offset costs no accuracy") {
    for (const std::size_t C : {64, 768}) {
        Grid<float> x(2, C);
        for (std::size_t c = 0; c < C; ++c) { // multiples of 1/64: exact next to 10,000
            x(0, c) = 10'000.0F + static_cast<float>(c * 37 % 128) / 64;
            x(1, c) = -10'000.0F + static_cast<float>(c * c % 113) / 64;
        }
        expect_normalised(x, std::vector<float>(C, 1.0F), std::vector<float>(C, 0.0F), 1e-5F);
    }
}

TEST_CASE("rows of random shapes agree with the definition") {
    for_random_sizes(
        24, {{"N", 1, 6}, {"C", 2, 40}, {"E", 0, 2}, {"S", 0, 3}}, [](const Sizes& size, Random& random) {
            constexpr float eps[] = {1e-5F, 0.01F, 1.0F};
            auto x = random_grid<float>(random, size["N"], size["C"], size["C"] + size["S"]);
            for (std::size_t r = 0; r < x.rows(); ++r) // a spread of about 4: well conditioned for C = 2 too
                for (std::size_t c = 0; c < x.cols(); c += 2)
                    x(r, c) += 8;
            expect_normalised(x, random_values(random, size["C"]), random_values(random, size["C"]),
                              eps[size["E"]]);
        });
}

TEST_CASE("a gradient by hand") {
    const Grid<float> x(2, 4, {0.0F, 4.0F, 8.0F, 12.0F, 7.0F, 7.0F, 7.0F, 7.0F});
    const Grid<float> dout(2, 4, {1.0F, 0.0F, 0.0F, 0.0F, 0.0F, 2.0F, 0.0F, 0.0F});
    const std::vector<float> gain{1.0F, 2.0F, 1.0F, 1.0F};
    Gradients got(2, 4);
    got.dgain = {10.0F, 20.0F, 30.0F, 40.0F}; // earlier micro-batches were here
    got.dbias = {0.0F, 100.0F, 0.0F, -1.0F};
    const GradientBounds bound(x, gain, 5, dout, got.dgain, got.dbias);
    expect_status(subject::layernorm_rows_backward(x, gain, 5.0F, dout, got.dx, got.dgain, got.dbias),
                  Status{});
    const double fifth = 1 / std::sqrt(5.0);
    expect_within("dx", got.dx,
                  Grid<double>(2, 4, {0.078, -0.074, -0.026, 0.022, -fifth, 3 * fifth, -fifth, -fifth}),
                  bound.dx);
    expect_within("dgain", got.dgain, std::vector<double>{8.8, 20, 30, 40}, bound.dgain);
    expect_identical("dbias", got.dbias, std::vector<float>{1, 102, 0, -1}); // whole numbers
}

TEST_CASE("neither the sum of a row nor its sum of squares has a gradient") {
    // The sum of xhat is 0 and its sum of squares C variance / (variance + eps), whatever x is: no dx can
    // change the first, and the second has the gradient 2 factor xhat eps / (variance + eps).
    Random random = harness::random();
    const std::size_t N = 4, C = 64;
    const auto x = random_grid<float>(random, N, C);
    const std::vector<float> gain(C, 1.0F);
    Grid<float> ones(N, C), twice_xhat(N, C);
    ones.fill(1.0F);
    double most = 0;
    for (std::size_t r = 0; r < N; ++r) {
        const Row row(in_double(x.row(r)), 1e-5);
        for (std::size_t c = 0; c < C; ++c)
            twice_xhat(r, c) = static_cast<float>(2 * row.xhat[c]);
        most = std::max(most, 2 * row.factor * row.largest() * 1e-5 * row.factor * row.factor);
    }
    const std::vector<double> none(N * C, 0.0);
    Gradients sum(N, C), squares(N, C);
    expect_status(subject::layernorm_rows_backward(x, gain, 1e-5F, ones, sum.dx, sum.dgain, sum.dbias),
                  Status{});
    const GradientBounds sum_bound(x, gain, 1e-5, ones, sum.dgain, sum.dbias);
    expect_within("dx of the sum", sum.dx.cells(), none, sum_bound.dx.cells());
    expect_status(subject::layernorm_rows_backward(x, gain, 1e-5F, twice_xhat, squares.dx, squares.dgain,
                                                   squares.dbias),
                  Status{});
    expect_close("dx of the sum of squares", squares.dx.cells(), none, Tolerance{.abs = most + 1e-4});
}

TEST_CASE("the gradient agrees with finite differences") {
    for_random_sizes(8, {{"N", 1, 3}, {"C", 2, 9}}, [](const Sizes& size, Random& random) {
        const std::size_t N = size["N"], C = size["C"];
        const double eps = 0.25; // a power of two: the same number in float
        const auto x = random_grid<float>(random, N, C);
        const auto dout = random_grid<float>(random, N, C);
        const auto gain = random_values(random, C);
        Gradients got(N, C);
        expect_status(subject::layernorm_rows_backward(x, gain, 0.25F, dout, got.dx, got.dgain, got.dbias),
                      Status{});

        Grid<double> at(N, C), want(N, C);
        std::ranges::copy(x.cells(), at.cells().begin());
        auto gains = in_double(gain);
        std::vector<double> biases(C, 0.0), want_gain(C), want_bias(C);
        const auto value = [&] { return loss(at, gains, biases, eps, dout); };
        for (std::size_t i = 0; i < N * C; ++i)
            want.cells()[i] = derivative(at.cells()[i], value);
        for (std::size_t c = 0; c < C; ++c) {
            want_gain[c] = derivative(gains[c], value);
            want_bias[c] = derivative(biases[c], value);
        }
        const std::vector<float> before(C, 0.0F);
        GradientBounds bound(x, gain, eps, dout, before, before);
        for (auto bounds : {bound.dx.cells(), std::span(bound.dgain), std::span(bound.dbias)})
            for (double& entry : bounds)
                entry += difference_error;
        expect_within("dx", got.dx, want, bound.dx);
        expect_within("dgain", got.dgain, want_gain, bound.dgain);
        expect_within("dbias", got.dbias, want_bias, bound.dbias);
    });
}

TEST_CASE("gradients of random shapes agree with the reference") {
    for_random_sizes(16, {{"N", 1, 12}, {"C", 2, 70}, {"S", 0, 3}}, [&](const Sizes& size, Random& random) {
        const std::size_t N = size["N"], C = size["C"], S = size["S"];
        const auto x = random_grid<float>(random, N, C, C + S);
        const auto dout = random_grid<float>(random, N, C, C + 2 * S);
        expect_normalised_gradients(x, dout, random_values(random, C), S, random);
    });
    // All gradients add up in the mean of g, where a sum in float loses most.
    Random random = harness::random();
    constexpr std::size_t wide = 10'007;
    Grid<float> even(1, wide);
    even.fill(0.1F);
    expect_normalised_gradients(random_grid<float>(random, 1, wide), even, std::vector<float>(wide, 1.0F), 0,
                                random);
}

TEST_CASE("rows that cannot be normalised are refused and nothing is written") {
    const auto x = tokens();
    const auto try_sizes = [&](std::size_t gains, std::size_t biases, std::size_t N, std::size_t C, float eps,
                               Code code) {
        const std::vector<float> gain(gains, 1.0F), bias(biases, 0.0F);
        Grid<float> out(N, C);
        expect_status(subject::layernorm_rows(x, gain, bias, eps, out), Status{code});
        expect_untouched("out", out);
    };
    try_sizes(3, 4, 3, 4, 1e-5F, Code::shape_mismatch);
    try_sizes(4, 5, 3, 4, 1e-5F, Code::shape_mismatch);
    try_sizes(4, 4, 2, 4, 1e-5F, Code::shape_mismatch);
    try_sizes(4, 4, 3, 3, 1e-5F, Code::shape_mismatch);
    try_sizes(3, 4, 3, 4, 0.0F, Code::shape_mismatch); // sizes come first
    for (const float eps : {0.0F, -1e-5F, not_a_number, -not_a_number, infinity})
        try_sizes(4, 4, 3, 4, eps, Code::invalid_argument);

    const auto try_backward = [&](std::size_t gains, std::size_t dout_rows, std::size_t dout_cols,
                                  std::size_t rows, std::size_t cols, std::size_t dgains, std::size_t dbiases,
                                  float eps, Code code) {
        Grid<float> dout(dout_rows, dout_cols), dx(rows, cols);
        dout.fill(1.0F);
        std::vector<float> gain(gains, 1.0F), dgain(dgains, 5.0F), dbias(dbiases, 6.0F);
        expect_status(subject::layernorm_rows_backward(x, gain, eps, dout, dx, dgain, dbias), Status{code});
        expect_untouched("dx", dx);
        expect_identical("dgain", dgain, std::vector<float>(dgains, 5.0F));
        expect_identical("dbias", dbias, std::vector<float>(dbiases, 6.0F));
    };
    try_backward(5, 3, 4, 3, 4, 4, 4, 1e-5F, Code::shape_mismatch);
    try_backward(4, 2, 4, 3, 4, 4, 4, 1e-5F, Code::shape_mismatch);
    try_backward(4, 3, 5, 3, 4, 4, 4, 1e-5F, Code::shape_mismatch);
    try_backward(4, 3, 4, 4, 4, 4, 4, 1e-5F, Code::shape_mismatch);
    try_backward(4, 3, 4, 3, 5, 4, 4, 1e-5F, Code::shape_mismatch);
    try_backward(4, 3, 4, 3, 4, 3, 4, 1e-5F, Code::shape_mismatch);
    try_backward(4, 3, 4, 3, 4, 4, 3, 1e-5F, Code::shape_mismatch);
    try_backward(4, 3, 4, 3, 4, 3, 4, 0.0F, Code::shape_mismatch);
    for (const float eps : {0.0F, -1e-5F, not_a_number, -not_a_number, infinity})
        try_backward(4, 3, 4, 3, 4, 4, 4, eps, Code::invalid_argument);
}

TEST_CASE("gradients that do not fit are refused and nothing is written") {
    const Cube<float> dout(2, 3, 4, std::initializer_list<float>{1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3,
                                                                 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6});
    const auto expect_refused = [&](std::size_t B, std::size_t T, std::size_t C, std::size_t rows,
                                    std::size_t cols, Status status) {
        Cube<float> dtokens(B, T, C);
        Grid<float> dwpe(rows, cols);
        dwpe.fill(1.0F);
        const Grid<float> before = dwpe;
        expect_status(subject::embed_scaled_backward(dout, dtokens, dwpe), status);
        expect_untouched("dtokens", dtokens);
        expect_identical("dwpe", dwpe, before);
    };
    const Status mismatch{Code::shape_mismatch};
    expect_refused(1, 3, 4, 5, 4, mismatch);
    expect_refused(2, 2, 4, 5, 4, mismatch);
    expect_refused(2, 3, 5, 5, 4, mismatch);
    expect_refused(2, 3, 4, 5, 3, mismatch);
    expect_refused(2, 3, 4, 1, 3, mismatch); // shapes come first
    expect_refused(2, 3, 4, 2, 4, Status{Code::position_out_of_range, 2, 2, 2});
}

TEST_CASE("a value that is not a number stays in its row") {
    Random random = harness::random();
    auto x = random_grid<float>(random, 3, 6);
    x(1, 4) = not_a_number;
    const auto gain = random_values(random, 6), bias = random_values(random, 6);
    Grid<float> out(3, 6);
    expect_status(subject::layernorm_rows(x, gain, bias, 1e-5F, out), Status{});
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 6; ++c)
            expect_equal("whether out is a number", !std::isnan(out(r, c)), r != 1);
    expect_true("the row with a NaN was written", !is_poison(out(1, 0)) && !is_poison(out(1, 5)));
    // Also where all others are equal, which a smallest and a largest value do not tell; and infinity less
    // infinity is NaN, in the mean's distance and so in the variance.
    for (const float odd : {not_a_number, infinity, -infinity})
        for (std::size_t at = 0; at < 6; ++at) {
            Grid<float> equal(1, 6), flat(1, 6);
            equal.fill(2.0F);
            equal(0, at) = odd;
            CAPTURE(odd);
            CAPTURE(at);
            expect_status(subject::layernorm_rows(equal, gain, bias, 1e-5F, flat), Status{});
            for (std::size_t c = 0; c < 6; ++c)
                expect_true("a row of equal values and one that is not finite becomes NaN",
                            is_own_nan(flat(0, c)));
        }

    // A sum with an infinite term stays infinite, whatever is added after it.
    Grid<float> endless(4, 2, {1, 2, infinity, 3, -4, 5, 6, 1}), from_endless(4, 2);
    std::vector<float> sums(2), gains(2);
    expect_status(subject::layernorm_rows_backward(Grid<float>(4, 2, {1, 2, 3, 5, 4, 2, 7, 1}),
                                                   std::vector<float>{1, 1}, 1e-5F, endless, from_endless,
                                                   gains, sums),
                  Status{});
    expect_equal("dbias with an infinite term", sums[0], infinity);
    expect_equal("dgain with an infinite term", std::abs(gains[0]), infinity);

    // 0 times NaN is NaN, also in a row that nothing flows back to.
    auto dout = random_grid<float>(random, 3, 6);
    std::ranges::fill(dout.row(1), 0.0F);
    Grid<float> dx(3, 6);
    std::vector<float> dgain(6), dbias(6);
    expect_status(subject::layernorm_rows_backward(x, gain, 1e-5F, dout, dx, dgain, dbias), Status{});
    for (std::size_t c = 0; c < 6; ++c) {
        for (std::size_t r = 0; r < 3; ++r)
            expect_equal("whether dx is a number", !std::isnan(dx(r, c)), r != 1);
        expect_equal("whether dgain is a number", !std::isnan(dgain[c]), false);
        expect_equal("whether dbias is a number", !std::isnan(dbias[c]), true);
    }
}

TEST_CASE("nothing to do is done") {
    Cube<float> no_batch(0, 2, 4), no_time(2, 0, 4);
    expect_status(subject::embed_scaled(tokens(), positions(), Grid<TokenId>(0, 2), no_batch), Status{});
    expect_status(subject::embed_scaled(tokens(), positions(), Grid<TokenId>(2, 0), no_time), Status{});
    auto dwpe = positions();
    expect_status(subject::embed_scaled_backward(no_batch, no_batch, dwpe), Status{});
    expect_status(subject::embed_scaled_backward(no_time, no_time, dwpe), Status{});
    expect_identical("dwpe", dwpe, positions());
    Grid<float> no_rows(0, 4);
    std::vector<float> dgain(4, 5.0F), dbias(4, 6.0F);
    expect_status(subject::layernorm_rows(no_rows, one4, zero4, 1e-5F, no_rows), Status{});
    expect_status(subject::layernorm_rows_backward(no_rows, one4, 1e-5F, no_rows, no_rows, dgain, dbias),
                  Status{});
    expect_identical("dgain", dgain, std::vector<float>(4, 5.0F));
    expect_identical("dbias", dbias, std::vector<float>(4, 6.0F));
}

namespace {

void expect_budget(const Config& config, const Budget& want) {
    const Budget got = subject::count(config);
    expect_equal("token_table", got.token_table, want.token_table);
    expect_equal("position_table", got.position_table, want.position_table);
    expect_equal("embedding_norm", got.embedding_norm, want.embedding_norm);
    expect_equal("blocks", got.blocks, want.blocks);
    expect_equal("final_norm", got.final_norm, want.final_norm);
    expect_equal("head", got.head, want.head);
    expect_equal("total", got.total, want.total);
    expect_equal("weight_bytes", got.weight_bytes, want.weight_bytes);
    expect_equal("gradient_bytes", got.gradient_bytes, want.gradient_bytes);
    expect_equal("optimiser_bytes", got.optimiser_bytes, want.optimiser_bytes);
    expect_equal("training_bytes", got.training_bytes, want.training_bytes);
}

} // namespace

TEST_CASE("the four sizes of gpt-2 are counted exactly") {
    struct Size {
        std::uint64_t channels, layers, token_table, position_table, total;
    };
    for (const Size& size :
         {Size{768, 12, 38'597'376, 786'432, 124'439'808}, Size{1024, 24, 51'463'168, 1'048'576, 354'823'168},
          Size{1280, 36, 64'328'960, 1'310'720, 774'030'080},
          Size{1600, 48, 80'411'200, 1'638'400, 1'557'611'200}}) {
        const Budget got = subject::count({50257, 1024, size.channels, size.layers});
        expect_equal("token_table", got.token_table, size.token_table);
        expect_equal("position_table", got.position_table, size.position_table);
        expect_equal("final_norm", got.final_norm, 2 * size.channels);
        expect_equal("embedding_norm", got.embedding_norm, 0);
        expect_equal("head", got.head, 0);
        expect_equal("blocks", got.blocks,
                     size.total - size.token_table - size.position_table - 2 * size.channels);
        expect_equal("total", got.total, size.total);
    }
}

TEST_CASE("an untied head costs a second table") {
    struct Size {
        std::uint64_t channels, layers, head, total;
    };
    for (const Size& size :
         {Size{768, 12, 38'597'376, 163'037'184}, Size{1024, 24, 51'463'168, 406'286'336},
          Size{1280, 36, 64'328'960, 838'359'040}, Size{1600, 48, 80'411'200, 1'638'022'400}}) {
        const Budget got = subject::count({50257, 1024, size.channels, size.layers, false, false});
        expect_equal("head", got.head, size.head);
        expect_equal("total", got.total, size.total);
    }
}

TEST_CASE("weights gradients and optimiser are counted in bytes") {
    expect_budget({50257, 1024, 768, 12}, {.token_table = 38'597'376,
                                           .position_table = 786'432,
                                           .blocks = 85'054'464,
                                           .final_norm = 1'536,
                                           .total = 124'439'808,
                                           .weight_bytes = 497'759'232,
                                           .gradient_bytes = 497'759'232,
                                           .optimiser_bytes = 995'518'464,
                                           .training_bytes = 1'991'036'928});
    expect_budget({50257, 1024, 768, 12, false, true, Precision::bf16}, {.token_table = 38'597'376,
                                                                         .position_table = 786'432,
                                                                         .blocks = 85'054'464,
                                                                         .final_norm = 1'536,
                                                                         .total = 124'439'808,
                                                                         .weight_bytes = 248'879'616,
                                                                         .gradient_bytes = 248'879'616,
                                                                         .optimiser_bytes = 1'493'277'696,
                                                                         .training_bytes = 1'991'036'928});
}

TEST_CASE("models of any size are counted beyond 32 bits") {
    // An embedding alone, with its norm and the final one.
    expect_budget({50257, 1024, 768, 0, true, true}, {.token_table = 38'597'376,
                                                      .position_table = 786'432,
                                                      .embedding_norm = 1'536,
                                                      .final_norm = 1'536,
                                                      .total = 39'386'880,
                                                      .weight_bytes = 157'547'520,
                                                      .gradient_bytes = 157'547'520,
                                                      .optimiser_bytes = 315'095'040,
                                                      .training_bytes = 630'190'080});
    // GPT-3: 96 blocks of 12 * 12,288^2 + 13 * 12,288.
    expect_budget({50257, 2048, 12288, 96, false, true, Precision::bf16},
                  {.token_table = 617'558'016,
                   .position_table = 25'165'824,
                   .blocks = 173'961'510'912,
                   .final_norm = 24'576,
                   .total = 174'604'259'328,
                   .weight_bytes = 349'208'518'656,
                   .gradient_bytes = 349'208'518'656,
                   .optimiser_bytes = 2'095'251'111'936,
                   .training_bytes = 2'793'668'149'248});
    // 12 * 94,906,267^2 + 13 * 94,906,267: the square is odd and above 2^53.
    expect_budget({0, 0, 94'906'267, 1, false, true}, {.blocks = 108'086'395'424'284'939,
                                                       .final_norm = 189'812'534,
                                                       .total = 108'086'395'614'097'473,
                                                       .weight_bytes = 432'345'582'456'389'892,
                                                       .gradient_bytes = 432'345'582'456'389'892,
                                                       .optimiser_bytes = 864'691'164'912'779'784,
                                                       .training_bytes = 1'729'382'329'825'559'568});
    // A small one with everything, counted by hand: 10 x 3 + 7 x 3 + 6 + 2 (108 + 39) + 6 + 30.
    expect_budget({10, 7, 3, 2, true, false}, {.token_table = 30,
                                               .position_table = 21,
                                               .embedding_norm = 6,
                                               .blocks = 294,
                                               .final_norm = 6,
                                               .head = 30,
                                               .total = 387,
                                               .weight_bytes = 1'548,
                                               .gradient_bytes = 1'548,
                                               .optimiser_bytes = 3'096,
                                               .training_bytes = 6'192});
}

TEST_CASE("scaled sums of every size, with gaps between rows") {
    adverse_scaled()
        .also({{{"V", 131'073}, {"C", 2}, {"B", 1}, {"T", 9}},
               {{"V", 6}, {"C", 907}, {"B", 3}, {"T", 389}},
               {{"V", 97}, {"C", 3}, {"B", 2'003}, {"T", 2}}}) // sequences that hash alike
        .sizes();
    adverse_scaled().gaps();
}

TEST_CASE("scaled sums with empty axes, every refusal and after other calls") {
    adverse_scaled().empty_axes();
    adverse_scaled().special_cases();
    adverse_scaled().history();
    adverse_scaled().after(adverse_scaled_backward());
}

TEST_CASE("gradients of scaled sums of every size, with gaps between rows") {
    adverse_scaled_backward().also({{{"C", 907}, {"B", 3}, {"T", 389}}}).sizes();
    adverse_scaled_backward().gaps();
}

TEST_CASE("gradients of scaled sums with empty axes, every refusal and after other calls") {
    adverse_scaled_backward().empty_axes();
    adverse_scaled_backward().special_cases();
    adverse_scaled_backward().also({{{"C", 257}, {"B", 17}, {"T", 61}}}).history();
    adverse_scaled_backward().after(adverse_scaled());
}

TEST_CASE("normalised rows of every size, with gaps between them") {
    adverse_layernorm().also({{{"N", 1'171}, {"C", 907}}}).sizes();
    adverse_layernorm().gaps();
}

TEST_CASE("normalised rows with empty axes, every refusal and after other calls") {
    adverse_layernorm().empty_axes();
    adverse_layernorm().special_cases();
    adverse_layernorm().history();
    adverse_layernorm().after(adverse_layernorm_backward());
}

TEST_CASE("gradients of normalised rows of every size, with gaps between them") {
    adverse_layernorm_backward().also({{{"N", 1'171}, {"C", 907}}}).sizes();
    adverse_layernorm_backward().gaps();
}

TEST_CASE("gradients of normalised rows with empty axes, every refusal and after other calls") {
    adverse_layernorm_backward().empty_axes();
    adverse_layernorm_backward().special_cases();
    adverse_layernorm_backward().also({{{"N", 1'037}, {"C", 257}}}).history();
    adverse_layernorm_backward().after(adverse_layernorm());
}

TEST_CASE("gradients follow values that changed since they were normalised") {
    const auto backward = [](const Grid<float>& x, const Grid<float>& dout) {
        Grid<float> dx(x.rows(), x.cols());
        std::vector<float> dgain(x.cols()), dbias(x.cols());
        expect_status(subject::layernorm_rows_backward(x, one4, 1e-5F, dout, dx, dgain, dbias), Status{});
        return dx;
    };
    Random random = harness::random();
    // Whoever keeps moments may look at few elements to see whether they hold, or at what does not depend on
    // their order.
    auto rows = random_grid<float>(random, 3, 9);
    const auto through = random_grid<float>(random, 3, 9);
    const std::vector<float> ones(9, 1.0F), zeros(9, 0.0F);
    const auto expect_after = [&](const auto& change) {
        Grid<float> forth(3, 9);
        expect_status(subject::layernorm_rows(rows, ones, zeros, 1e-3F, forth), Status{});
        change();
        expect_normalised_gradients(rows, through, ones, 0, random);
    };
    for (std::size_t at = 0; at < 27; ++at) {
        INFO("value ", at, " changed in between");
        expect_after([&] { rows.cells()[at] += 2; });
    }
    for (const std::size_t other : {1, 2}) {
        INFO("rows 0 and ", other, " were exchanged in between");
        expect_after([&] { std::ranges::swap_ranges(rows.row(0), rows.row(other)); });
    }
    const auto dout = random_grid<float>(random, 3, 4);
    const auto changed = random_grid<float>(random, 3, 4);
    const Grid<float> want = backward(changed, dout);
    auto x = random_grid<float>(random, 3, 4);
    Grid<float> out(3, 4);
    expect_status(subject::layernorm_rows(x, one4, zero4, 1e-5F, out), Status{});
    std::ranges::copy(changed.cells(), x.cells().begin());
    expect_identical("dx of values that changed in place", backward(x, dout), want);
}

TEST_CASE("budgets of models without layers and of enormous ones") {
    Adverse budget("count", subject::count, &reference::count, {}, any_config());
    budget.special_cases();
    budget.history();
}

TEST_CASE("scaled sums beyond element 2^32" * large) {
    adverse_scaled().far("V", Visits::few_rows);
}

TEST_CASE("gradients of scaled sums beyond element 2^32" * large) {
    adverse_scaled_backward().far();
}

TEST_CASE("normalised rows beyond element 2^32" * large) {
    adverse_layernorm().far();
}

TEST_CASE("gradients of normalised rows beyond element 2^32" * large) {
    adverse_layernorm_backward().far();
}

#pragma once

// What the tests of this suite share.

#include "harness/adversity/adverse.h"
#include "harness/suite.h"
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

namespace suite {

constexpr double u = 0x1p-24;
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

// The statement's tables: token v is v + (0, 1/4, 1/2, 3/4), position p is 10 p + (1, 2, 3, 4).
inline Grid<float> tokens() {
    return Grid<float>(3, 4,
                       {0.0F, 0.25F, 0.5F, 0.75F, //
                        1.0F, 1.25F, 1.5F, 1.75F, //
                        2.0F, 2.25F, 2.5F, 2.75F});
}
inline Grid<float> positions() {
    return Grid<float>(2, 4,
                       {1.0F, 2.0F, 3.0F, 4.0F, //
                        11.0F, 12.0F, 13.0F, 14.0F});
}

inline std::vector<float> random_values(Random& random, std::size_t count) {
    std::vector<float> values(count);
    for (float& value : values)
        value = static_cast<float>(random.normal());
    return values;
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

inline std::vector<double> in_double(std::span<const float> values) {
    return {values.begin(), values.end()};
}

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

inline const std::vector<float> one4(4, 1.0F), zero4(4, 0.0F);

inline Parameter<float> any_eps() {
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

inline std::vector<double> row_in_double(const Matrix<const float>& x, std::size_t r) {
    return {x.row(r), x.row(r) + x.cols};
}
inline bool accepted_eps(float eps) {
    return eps > 0 && std::isfinite(eps);
}

inline auto adverse_layernorm() {
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

inline auto adverse_layernorm_backward() {
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

} // namespace suite

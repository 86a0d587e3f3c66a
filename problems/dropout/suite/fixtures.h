#pragma once

// What the tests of this suite share.

#include "harness/adversity/adverse.h"
#include "harness/adversity/embedding.h"
#include "harness/suite.h"
#include "subject/proxies.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

// N: rows, C: channels, B: batch, T: time (tokens of a sequence), e: the number of an element in reading
// order
using namespace contract;
using namespace harness;

namespace suite {

constexpr double u = 0x1p-24;
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

inline Dropout training(float p, std::uint64_t seed, std::uint64_t offset = 0) {
    return {p, true, seed, offset};
}

/// What has to come out: 0, or x / (1 - p), or x itself.
inline double dropped(double x, Dropout dropout, std::uint64_t element) {
    if (!dropout.train) return x;
    return reference::survives(dropout, element) ? x / (1 - static_cast<double>(dropout.p)) : 0;
}

inline bool any_negative_zero(std::span<const float> values) {
    return std::ranges::any_of(values, [](float x) { return x == 0 && std::signbit(x); });
}

/// Holds `got` against dropout of `x`, which has no zeros.
inline void expect_dropped(std::string_view what, const Grid<float>& got, const Grid<float>& x,
                           Dropout dropout) {
    Grid<double> want(x.rows(), x.cols()), bound(x.rows(), x.cols());
    for (std::size_t r = 0; r < x.rows(); ++r)
        for (std::size_t c = 0; c < x.cols(); ++c) {
            want(r, c) = dropped(x(r, c), dropout, r * x.cols() + c);
            bound(r, c) = 4 * u * std::abs(want(r, c));
        }
    expect_within(what, got, want, bound);
    for (std::size_t r = 0; r < x.rows(); ++r)
        expect_true("what is dropped is +0, not -0", !any_negative_zero(got.row(r)),
                    "zeros have the wrong sign");
}

/// Element e is e + 1, so that none is zero and each is known by its value.
inline Grid<float> numbered(std::size_t rows, std::size_t cols, std::size_t stride) {
    Grid<float> grid(rows, cols, stride);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < cols; ++c)
            grid(r, c) = static_cast<float>(r * cols + c + 1);
    return grid;
}

const ExtentDomain rows_of_x{.name = "N", .ordinary = 3}, channels{.name = "C", .ordinary = 5};

/// Values that no factor can make denormal or infinite, and those that keep their kind.
inline Contents values() {
    return {normal(), {{"quiet NaN, infinities and zeros", nan_and_infinity()}}};
}

/// 4 u for what the contract allows, 1 u because the expected value is rounded itself.
template <class Out>
std::vector<double> within_five_roundings(const Matrix<const float>& x, const Dropout& dropout, const Out&) {
    std::vector<double> bounds;
    for (std::size_t r = 0; r < x.rows; ++r)
        for (std::size_t c = 0; c < x.cols; ++c)
            bounds.push_back(5 * u * std::abs(dropped(x(r, c), dropout, r * x.cols + c)));
    return bounds;
}

/// What is dropped is +0, and without dropout nothing changes.
inline std::function<bool(std::size_t)> exact_elements(const Dropout& dropout) {
    return [dropout](std::size_t i) {
        return !dropout.train || dropout.p == 0 || !reference::survives(dropout, i);
    };
}

template <class Function>
auto adverse_rows(const char* name, const Function& function,
                  Status (*wanted)(Matrix<const float>, Dropout, Matrix<float>), const char* in,
                  const char* out) {
    return Adverse(name, function, wanted, {rows_of_x, channels}, matrix_in(in, "N", "C", values()),
                   dropout_options<Dropout>("dropout"), matrix_out(out, "N", "C"))
        .bounds(out, within_five_roundings<Matrix<float>>)
        .exact(out, [](const auto&, const Dropout& dropout, const auto&) { return exact_elements(dropout); });
}
inline auto adverse_forward() {
    return adverse_rows("forward", subject::forward, &reference::forward, "x", "out");
}
inline auto adverse_backward() {
    return adverse_rows("backward", subject::backward, &reference::backward, "dout", "dx");
}

/// The bounds of the contract for embed, and one rounding of the expected value.
inline std::vector<double> bounds_of_embed(const Tensor3<const float>& tokens,
                                           const Matrix<const float>& positions, bool normalise,
                                           const Dropout& dropout, const Tensor3<float>& out) {
    std::vector<double> bounds;
    if (positions.rows != tokens.time || positions.cols != tokens.channels || out.batch != tokens.batch)
        return std::vector<double>(out.batch * out.time * out.channels);
    const std::size_t C = tokens.channels;
    const double kept = dropout.train ? 1 / (1 - static_cast<double>(dropout.p)) : 1;
    for (std::size_t b = 0; b < tokens.batch; ++b)
        for (std::size_t t = 0; t < tokens.time; ++t) {
            double mean = 0, variance = 0, largest = 0;
            std::vector<double> row;
            for (std::size_t c = 0; c < C; ++c) {
                row.push_back(double{tokens(b, t, c)} + positions(t, c));
                mean += row.back() / static_cast<double>(C);
                largest = std::max(largest, std::abs(row.back()));
            }
            for (const double s : row)
                variance += (s - mean) * (s - mean) / static_cast<double>(C);
            const double root = std::sqrt(variance + 1e-5);
            for (const double s : row)
                bounds.push_back(normalise ? 2 * u * kept *
                                                     (10 * std::abs((s - mean) / root) + 2 * largest / root) +
                                                 u * kept * std::abs((s - mean) / root)
                                           : 21 * u * kept * std::abs(s));
        }
    return bounds;
}

/// `normalise` is as ordinary calls have it; special ones have the other.
inline auto adverse_embed(bool normalise) {
    const auto named = [](bool value) { return Named<bool>{value ? "true" : "false", value}; };
    return Adverse("embed", subject::embed, &reference::embed,
                   {{.name = "B", .ordinary = 2, .largest = 130},
                    {.name = "T", .ordinary = 3, .largest = 1'025},
                    channels},
                   tensor_in("tokens", "B", "T", "C",
                             {normal(),
                              {{"some NaN", some_nan()},
                               {"values around 1,000", around(1'000)},
                               {"tiny values", tiny()},
                               {"nearly equal values", nearly_equal()}}}),
                   matrix_in("positions", "T", "C", {}, Checked::all),
                   value<bool>(
                       "normalise", [=](const Extents&, Random&) { return named(normalise); },
                       [=](const Extents&) { return std::vector<Named<bool>>{named(!normalise)}; }),
                   dropout_options<Dropout>("dropout"), tensor_out("out", "B", "T", "C"))
        .bounds("out", bounds_of_embed)
        .exact("out", [](const auto&, const auto&, bool, const Dropout& dropout, const auto&) {
            return [dropout](std::size_t i) { return !reference::survives(dropout, i); };
        });
}

} // namespace suite

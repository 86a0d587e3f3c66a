#pragma once

// What the tests of this suite share.

#include "harness/adversity/adverse.h"
#include "harness/suite.h"
#include "subject/proxies.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

using namespace contract;
using namespace harness;

namespace suite {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

/// Half the distance from 1 to the next float: the largest relative error of one rounding.
constexpr double unit_roundoff = 0x1p-24;

/// Cell (r, c) holds 10 r + c, so that a value names its place.
inline Grid<float> numbered(std::size_t rows, std::size_t cols) {
    Grid<float> table(rows, cols);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < cols; ++c)
            table(r, c) = static_cast<float>(10 * r + c);
    return table;
}

inline Grid<float> filled(std::size_t rows, std::size_t cols, float value) {
    Grid<float> grid(rows, cols);
    grid.fill(value);
    return grid;
}

inline Grid<float> onehot_of(const std::vector<TokenId>& ids, std::size_t V) {
    Grid<float> onehot = filled(ids.size(), V, 0.0f);
    for (std::size_t n = 0; n < ids.size(); ++n)
        onehot(n, static_cast<std::size_t>(ids[n])) = 1.0f;
    return onehot;
}

/// A sum of n products has at most n roundings on the way of each term (Higham, Accuracy and Stability of
/// Numerical Algorithms, 3.1), and the expected value is rounded once itself: |error| <= (n + 2) u sum |x|
/// |y|. The 2 also covers the terms of second order in u for the sizes used here.
inline double dot_bound(std::size_t n, double sum_of_magnitudes) {
    return static_cast<double>(n + 2) * unit_roundoff * sum_of_magnitudes;
}

inline void expect_product(Matrix<const float> onehot, Matrix<const float> table, std::size_t out_stride) {
    Grid<float> out(onehot.rows, table.cols, out_stride), want(onehot.rows, table.cols, out_stride);
    expect_status(subject::onehot_matmul(onehot, table, out), Status{});
    reference::onehot_matmul(onehot, table, want);
    Grid<double> bound(onehot.rows, table.cols);
    for (std::size_t n = 0; n < onehot.rows; ++n)
        for (std::size_t c = 0; c < table.cols; ++c) {
            double magnitudes = 0;
            for (std::size_t v = 0; v < table.rows; ++v)
                magnitudes += std::abs(static_cast<double>(onehot(n, v)) * table(v, c));
            bound(n, c) = dot_bound(table.rows, magnitudes);
        }
    expect_within("out", out, want, bound);
}

inline void expect_transposed_product(Matrix<const float> onehot, Matrix<const float> dout,
                                      std::size_t dtable_stride) {
    Grid<float> dtable(onehot.cols, dout.cols, dtable_stride), want(onehot.cols, dout.cols, dtable_stride);
    expect_status(subject::onehot_matmul_transposed(onehot, dout, dtable), Status{});
    reference::onehot_matmul_transposed(onehot, dout, want);
    Grid<double> bound(onehot.cols, dout.cols);
    for (std::size_t v = 0; v < onehot.cols; ++v)
        for (std::size_t c = 0; c < dout.cols; ++c) {
            double magnitudes = 0;
            for (std::size_t n = 0; n < dout.rows; ++n)
                magnitudes += std::abs(static_cast<double>(onehot(n, v)) * dout(n, c));
            bound(v, c) = dot_bound(dout.rows, magnitudes);
        }
    expect_within("dtable", dtable, want, bound);
}

/// What nothing else is added to may be far from 1, too.
inline Contents terms_of_any_size() {
    Contents contents = factors(fractions());
    contents.special.push_back({"numbers below 2^-38", scaled(fractions(), 0x1p-40F)});
    contents.special.push_back({"numbers around 2^40", scaled(fractions(), 0x1p40F)});
    return contents;
}
const ExtentDomain rows_of_table{.name = "V", .ordinary = 6}, channels{.name = "C", .ordinary = 3},
    number_of_ids{.name = "N", .ordinary = 5};

/// So much work that programs share it among threads, whose sums meet in some order.
const Extents worth_sharing{{"V", 6}, {"C", 257}, {"N", 1'037}};

inline auto adverse_product() {
    return Adverse("onehot_matmul", subject::onehot_matmul, &reference::onehot_matmul,
                   {rows_of_table, channels, number_of_ids},
                   matrix_in("onehot", "N", "V", factors(small_integers())),
                   matrix_in("table", "V", "C", terms_of_any_size(), Checked::rows),
                   matrix_out("out", "N", "C"))
        .rule("out", {.kind = Rule::Kind::values});
}

inline auto adverse_transposed() {
    return Adverse("onehot_matmul_transposed", subject::onehot_matmul_transposed,
                   &reference::onehot_matmul_transposed, {rows_of_table, channels, number_of_ids},
                   matrix_in("onehot", "N", "V", factors(small_integers())),
                   matrix_in("dout", "N", "C", terms_of_any_size(), Checked::rows),
                   matrix_out("dtable", "V", "C"))
        .rule("dtable", {.kind = Rule::Kind::values});
}

/// Rows of zeros but for a few numbers, whose places need more than 16 bits.
inline Grid<float> sparse(std::size_t rows, std::size_t cols, bool transposed) {
    Grid<float> grid(transposed ? cols : rows, transposed ? rows : cols);
    grid.fill(0);
    std::size_t turn = 0;
    for (std::size_t r = 0; r < rows; ++r)
        for (const std::size_t c : {turn % 3, cols / 2 + r, std::size_t{65'535} + r, cols - 1 - turn % 2}) {
            (transposed ? grid(c, r) : grid(r, c)) = static_cast<float>(1 + turn % 5);
            ++turn;
        }
    return grid;
}

} // namespace suite

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
#include <set>
#include <vector>

// V: vocabulary size, P: positions, C: channels, B: batch, T: time (tokens of a sequence)
using namespace contract;
using namespace harness;

namespace suite {

/// Most gradients here are whole numbers or short fractions: any order of additions gives the same floats,
/// so they are compared bit for bit.
inline Grid<float> filled(std::size_t rows, std::size_t cols, float value) {
    Grid<float> grid(rows, cols);
    grid.fill(value);
    return grid;
}

/// Element number i is i + 1.
inline Cube<float> numbered(std::size_t batch, std::size_t time, std::size_t channels) {
    float first = 1;
    Cube<float> cube(batch, time, channels);
    for (float& value : cube.cells())
        value = first++;
    return cube;
}

/// For each element of a gradient, n + 3 roundings of the sum of absolute values: n additions and the product
/// in the submission, one rounding in the reference, and one more for the terms of second order. Source:
/// Higham, Accuracy and Stability of Numerical Algorithms, section 4.2.
class Bound {
  public:
    explicit Bound(const Grid<float>& before)
        : sum_(before.rows(), before.cols()), terms_(before.rows(), before.cols()) {
        terms_.fill(3);
        for (std::size_t i = 0; i < before.cells().size(); ++i)
            sum_.cells()[i] = std::abs(static_cast<double>(before.cells()[i]));
    }
    void add(std::size_t row, std::size_t column, double value) {
        sum_(row, column) += std::abs(value);
        ++terms_(row, column);
    }
    Grid<double> get() const {
        Grid<double> bound = sum_;
        for (std::size_t i = 0; i < bound.cells().size(); ++i)
            bound.cells()[i] *= terms_.cells()[i] * 0x1p-24;
        return bound;
    }

  private:
    Grid<double> sum_;
    Grid<double> terms_;
};

} // namespace suite

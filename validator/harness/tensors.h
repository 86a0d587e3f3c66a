#pragma once

#include "common/ids.h"
#include "common/matrix.h"
#include "common/tensor.h"
#include "harness/poison.h"
#include "harness/random.h"

#include <cassert>
#include <cstring>
#include <initializer_list>
#include <span>
#include <vector>

namespace harness {

/// An owned row-major matrix. It starts as poison, padding between `cols` and `stride` included.
template <class T>
class Grid {
  public:
    Grid(std::size_t rows, std::size_t cols) : Grid(rows, cols, cols) {}
    Grid(std::size_t rows, std::size_t cols, std::size_t stride)
        : rows_(rows), cols_(cols), stride_(stride), cells_(rows * stride, poison_value<T>()) {
        assert(stride >= cols);
    }
    Grid(std::size_t rows, std::size_t cols, std::initializer_list<T> values) : Grid(rows, cols) {
        assert(values.size() == rows * cols);
        std::copy(values.begin(), values.end(), cells_.begin());
    }

    std::size_t rows() const { return rows_; }
    std::size_t cols() const { return cols_; }
    std::size_t stride() const { return stride_; }
    T& operator()(std::size_t r, std::size_t c) { return cells_[r * stride_ + c]; }
    const T& operator()(std::size_t r, std::size_t c) const { return cells_[r * stride_ + c]; }
    std::span<T> row(std::size_t r) { return std::span(cells_).subspan(r * stride_, cols_); }
    std::span<const T> row(std::size_t r) const { return std::span(cells_).subspan(r * stride_, cols_); }
    std::span<T> cells() { return cells_; }
    std::span<const T> cells() const { return cells_; }
    void fill(T value) { std::fill(cells_.begin(), cells_.end(), value); }

    contract::Matrix<T> view() { return {cells_.data(), rows_, cols_, stride_}; }
    contract::Matrix<const T> view() const { return {cells_.data(), rows_, cols_, stride_}; }
    operator contract::Matrix<T>() { return view(); }
    operator contract::Matrix<const T>() const { return view(); }

    /// Bit for bit, padding included.
    bool operator==(const Grid& other) const {
        return rows_ == other.rows_ && cols_ == other.cols_ && stride_ == other.stride_ &&
               (cells_.empty() ||
                std::memcmp(cells_.data(), other.cells_.data(), cells_.size() * sizeof(T)) == 0);
    }

  private:
    std::size_t rows_;
    std::size_t cols_;
    std::size_t stride_;
    std::vector<T> cells_;
};

/// An owned dense tensor of shape (batch, time, channels). It starts as poison.
template <class T>
class Cube {
  public:
    Cube(std::size_t batch, std::size_t time, std::size_t channels)
        : batch_(batch), time_(time), channels_(channels),
          cells_(batch * time * channels, poison_value<T>()) {}
    Cube(std::size_t batch, std::size_t time, std::size_t channels, std::initializer_list<T> values)
        : Cube(batch, time, channels) {
        assert(values.size() == cells_.size());
        std::copy(values.begin(), values.end(), cells_.begin());
    }

    std::size_t batch() const { return batch_; }
    std::size_t time() const { return time_; }
    std::size_t channels() const { return channels_; }
    T& operator()(std::size_t b, std::size_t t, std::size_t c) {
        return cells_[(b * time_ + t) * channels_ + c];
    }
    const T& operator()(std::size_t b, std::size_t t, std::size_t c) const {
        return cells_[(b * time_ + t) * channels_ + c];
    }
    std::span<T> row(std::size_t b, std::size_t t) {
        return std::span(cells_).subspan((b * time_ + t) * channels_, channels_);
    }
    std::span<const T> row(std::size_t b, std::size_t t) const {
        return std::span(cells_).subspan((b * time_ + t) * channels_, channels_);
    }
    std::span<T> cells() { return cells_; }
    std::span<const T> cells() const { return cells_; }
    void fill(T value) { std::fill(cells_.begin(), cells_.end(), value); }

    contract::Tensor3<T> view() { return {cells_.data(), batch_, time_, channels_}; }
    contract::Tensor3<const T> view() const { return {cells_.data(), batch_, time_, channels_}; }
    operator contract::Tensor3<T>() { return view(); }
    operator contract::Tensor3<const T>() const { return view(); }

    /// Bit for bit.
    bool operator==(const Cube& other) const {
        return batch_ == other.batch_ && time_ == other.time_ && channels_ == other.channels_ &&
               (cells_.empty() ||
                std::memcmp(cells_.data(), other.cells_.data(), cells_.size() * sizeof(T)) == 0);
    }

  private:
    std::size_t batch_;
    std::size_t time_;
    std::size_t channels_;
    std::vector<T> cells_;
};

/// A matrix too large to exist: it lives in memory shared with the worker, zero and without cost where
/// nothing was written. Valid until the test case ends; make it before the first call of the case.
template <class T>
class SparseGrid {
  public:
    SparseGrid(std::size_t rows, std::size_t cols)
        : rows_(rows), cols_(cols), data_(reinterpret_cast<T*>(shared_bytes(rows * cols * sizeof(T)))) {}

    std::span<T> row(std::size_t r) { return {data_ + r * cols_, cols_}; }
    std::span<const T> row(std::size_t r) const { return {data_ + r * cols_, cols_}; }
    operator contract::Matrix<T>() { return {data_, rows_, cols_}; }
    operator contract::Matrix<const T>() const { return {data_, rows_, cols_}; }

  private:
    static std::byte* shared_bytes(std::size_t bytes);

    std::size_t rows_;
    std::size_t cols_;
    T* data_;
};

/// From Session, kept out of this header so that suites see tensors and nothing below them.
std::byte* allocate_shared(std::size_t bytes);

template <class T>
std::byte* SparseGrid<T>::shared_bytes(std::size_t bytes) {
    return allocate_shared(bytes);
}

/// Standard normal values; padding stays poison.
template <class T>
Grid<T> random_grid(Random& random, std::size_t rows, std::size_t cols, std::size_t stride) {
    Grid<T> grid(rows, cols, stride);
    for (std::size_t r = 0; r < rows; ++r)
        for (T& value : grid.row(r))
            value = static_cast<T>(random.normal());
    return grid;
}

template <class T>
Grid<T> random_grid(Random& random, std::size_t rows, std::size_t cols) {
    return random_grid<T>(random, rows, cols, cols);
}

template <class T>
Cube<T> random_cube(Random& random, std::size_t batch, std::size_t time, std::size_t channels) {
    Cube<T> cube(batch, time, channels);
    for (T& value : cube.cells())
        value = static_cast<T>(random.normal());
    return cube;
}

/// In every second draw, multiplies each value by a power of two of its own, from 2^-40 to 2^40: what a sum
/// takes in by the way, and out again, costs it digits where that is large.
void spread_magnitudes(Random& random, std::span<float> values);

/// Standard normal values of such magnitudes.
Grid<float> spread_grid(Random& random, std::size_t rows, std::size_t cols);
Cube<float> spread_cube(Random& random, std::size_t batch, std::size_t time, std::size_t channels);

/// `count` ids, each equally likely in [0, vocabulary).
std::vector<contract::TokenId> random_ids(Random& random, std::size_t count, std::size_t vocabulary);

/// A batch of such ids, shape (batch, time).
Grid<contract::TokenId> random_id_grid(Random& random, std::size_t batch, std::size_t time,
                                       std::size_t vocabulary);

} // namespace harness

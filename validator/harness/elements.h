#pragma once

#include "harness/tensors.h"

#include <cstdint>
#include <vector>

namespace harness {

/// Any tensor as its elements in reading order, with its shape.
template <class T>
struct Elements {
    const T* data = nullptr;
    std::vector<std::size_t> shape;
    std::size_t row_length = 0; ///< contiguous run
    std::size_t row_stride = 0; ///< distance between runs

    std::size_t count() const {
        std::size_t product = 1;
        for (const std::size_t extent : shape)
            product *= extent;
        return product;
    }
    const T& operator[](std::size_t i) const {
        return row_length == 0 ? data[i] : data[i / row_length * row_stride + i % row_length];
    }
    std::vector<std::uint64_t> index(std::size_t i) const {
        std::vector<std::uint64_t> result(shape.size());
        for (std::size_t axis = shape.size(); axis-- > 0; i /= shape[axis])
            result[axis] = i % shape[axis];
        return result;
    }
};

template <class T>
Elements<std::remove_const_t<T>> elements(const contract::Matrix<T>& matrix) {
    return {matrix.data, {matrix.rows, matrix.cols}, matrix.cols, matrix.stride};
}
template <class T>
Elements<std::remove_const_t<T>> elements(const contract::Tensor3<T>& tensor) {
    return {tensor.data, {tensor.batch, tensor.time, tensor.channels}, tensor.channels, tensor.channels};
}
template <class T>
Elements<T> elements(const Grid<T>& grid) {
    return elements(grid.view());
}
template <class T>
Elements<T> elements(const Cube<T>& cube) {
    return elements(cube.view());
}
template <class T>
Elements<T> elements(const std::vector<T>& values) {
    return {values.data(), {values.size()}, values.size(), values.size()};
}
template <class T>
Elements<std::remove_const_t<T>> elements(std::span<T> values) {
    return {values.data(), {values.size()}, values.size(), values.size()};
}

} // namespace harness

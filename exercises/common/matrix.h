#pragma once

#include <cstddef>
#include <type_traits>

namespace contract {

/// A row-major matrix that someone else owns: `rows` x `cols` elements, row r beginning at `data + r *
/// stride`. `stride >= cols`; the elements between them are padding (common/rules.h).
template <class T>
struct Matrix {
    T* data = nullptr;
    std::size_t rows = 0;
    std::size_t cols = 0;
    std::size_t stride = 0;

    Matrix() = default;
    Matrix(T* first, std::size_t row_count, std::size_t col_count)
        : Matrix(first, row_count, col_count, col_count) {}
    Matrix(T* first, std::size_t row_count, std::size_t col_count, std::size_t row_stride)
        : data(first), rows(row_count), cols(col_count), stride(row_stride) {}

    /// A read-only view of a writable matrix.
    operator Matrix<const T>() const requires(!std::is_const_v<T>) { return {data, rows, cols, stride}; }

    T* row(std::size_t r) const { return data + r * stride; }
    T& operator()(std::size_t r, std::size_t c) const { return row(r)[c]; }
};

} // namespace contract

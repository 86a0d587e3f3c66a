#pragma once

#include "common/matrix.h"
#include "common/not_implemented.h"
#include "common/rules.h"

#include <cstddef>
#include <span>

namespace exercise {
using namespace contract;

/// Copies row `r` of `table` to `out`, bit for bit.
///
/// table  (V, C): V rows and C columns; row r begins at `table.data + r * table.stride`
/// r      the row, counted from 0; the caller promises r < V
/// out    (C); the caller promises `out.size() == table.cols`
///
/// Example, with V = 3 and C = 2:
///
///     table                      10 11
///                                20 21
///                                30 31
///     copy_row(table, 2, out)    out becomes 30 31
///
/// C may be 0. There is nothing to copy then, and pointers may be null, which `std::memcpy` must not get.
void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL) CALL(copy_row)

// Rules of all problems: common/rules.h. Fine print: docs/fine-print.md.

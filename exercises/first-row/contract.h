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
/// V: vocabulary size (rows), C: channels (columns)
///
/// table  (V, C), row-major: row r begins at `table.data + r * table.stride`
/// r      which row, counted from 0; r < V (the caller's promise)
/// out    (C), so `out.size() == table.cols` (the caller's promise); does not overlap `table`
///
/// Writes the C values of `out` and nothing else. C may be 0: then there is nothing to write, and pointers
/// may be null, which `std::memcpy` does not take. The rules of common/rules.h hold.
void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL) CALL(copy_row)

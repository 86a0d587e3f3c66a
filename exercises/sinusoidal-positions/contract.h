#pragma once

#include "common/matrix.h"
#include "common/not_implemented.h"
#include "common/rules.h"

#include <cstddef>
#include <span>

// T: positions (rows), C: channels (columns), p: a position, counted from 0, i: number of a sine-cosine pair

namespace exercise {
using namespace contract;

/// Fills `pe` (T, C), for the positions p = 0 … T - 1, with the encoding of Vaswani et al. 2017, section
/// 3.5:
///
///     pe(p, 2i)     = sin(p / base^(2i / C))
///     pe(p, 2i + 1) = cos(p / base^(2i / C))
///
/// Example, with C = 3 and base = 100 (an odd C ends with a sine):
///
///     row 0   0        1        0
///     row 1   0.8415   0.5403   0.0464
///
/// Each value is in [-1, 1] and within 1e-6 of the exact one. Row 0 is exactly +0, 1, +0, 1, … The caller
/// promises that base > 1 is finite and that T <= 131,073.
void sinusoidal(Matrix<float> pe, double base);

/// Writes row `position` <= 131,072 of that table to `row` (C), equally precise, without making the table.
void sinusoidal_row(std::size_t position, double base, std::span<float> row);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL) CALL(sinusoidal) CALL(sinusoidal_row)

// Rules of all problems: common/rules.h. Fine print: docs/fine-print.md.

#pragma once

#include "common/matrix.h"
#include "common/not_implemented.h"
#include "common/rules.h"

#include <cstddef>
#include <span>

// T: positions (rows), C: channels (columns), p: a position, counted from 0, i: the number of a sine-cosine
// pair

namespace exercise {
using namespace contract;

/// Fills `pe` (T, C) with the sinusoidal position encoding of Vaswani et al. 2017, section 3.5:
///
///     pe(p, 2i)     = sin(p / base^(2i / C))
///     pe(p, 2i + 1) = cos(p / base^(2i / C))
///
/// for p = 0 … T - 1. C may be any size: an odd C ends with the sine of its last pair.
/// Each value lies within 1e-6 of the exact one and in [-1, 1]; row 0 is exactly +0, 1, +0, 1, …, the sign of
/// its zeros included. What `pe` held before does not matter. The rules of common/rules.h hold: among others,
/// T and C may be 0, and padding stays as it was.
///
/// base > 1 and finite, T <= 131,073 (the caller's promise).
void sinusoidal(Matrix<float> pe, double base);

/// Writes the encoding of one position to `row` (C), without making the table. What is promised for row
/// `position` of the table is promised here, for position <= 131,072 and such a base (the caller's promise);
/// so the two may be 2e-6 apart.
void sinusoidal_row(std::size_t position, double base, std::span<float> row);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL) CALL(sinusoidal) CALL(sinusoidal_row)

#pragma once

#include "common/matrix.h"
#include "common/not_implemented.h"

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
/// for p = 0 … T - 1. C may be any size: an odd C ends with the sine of its last pair. T and C may be 0.
/// Each value lies within 1e-6 of the exact one and in [-1, 1]. What `pe` held before does not matter, and
/// what lies between `cols` and `stride` stays untouched.
///
/// base > 1 and finite, T <= 131,073 (the caller's promise).
void sinusoidal(Matrix<float> pe, double base);

/// Writes the encoding of one position to `row` (C), as row `position` of the table would be, without making
/// the table. Each value lies within 1e-6 of the exact one for position <= 131,072.
void sinusoidal_row(std::size_t position, double base, std::span<float> row);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL) CALL(sinusoidal) CALL(sinusoidal_row)

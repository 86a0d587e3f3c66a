#pragma once

#include "harness/random.h"

#include <bit>
#include <cstdint>
#include <functional>
#include <utility>

namespace harness {

/// What fills an argument of real numbers.
using Fill = std::function<float(Random&)>;

/// Multiples of 1/64 in [-2, 2]: some thousands of them add up exactly in float, in any order, so sums can be
/// compared bit for bit. One in ten is 0, which is an element like the others.
inline Fill fractions() {
    return [](Random& random) {
        return random.chance(0.1) ? 0.0F : static_cast<float>(random.integer(-128, 128)) / 64.0F;
    };
}

/// Standard normal values.
inline Fill normal() {
    return [](Random& random) { return static_cast<float>(random.normal()); };
}

/// Bits that arithmetic changes and a copy keeps: quiet and signalling NaN with a payload, both zeros, both
/// infinities, denormals, the ends of the normal range.
inline Fill any_bits() {
    return [](Random& random) {
        constexpr std::uint32_t patterns[] = {0x7fc12345, 0x7f812345, 0xffc00001, 0x80000000, 0x00000000,
                                              0x7f800000, 0xff800000, 0x7f7fffff, 0xff7fffff, 0x00000001,
                                              0x80000001, 0x007fffff, 0x00800000, 0x3f800000};
        return std::bit_cast<float>(patterns[random.size(0, std::size(patterns) - 1)]);
    };
}

/// Nothing but zeros, which compare equal: a copy keeps the sign of each.
inline Fill signed_zeros() {
    return [](Random& random) { return random.chance(0.5) ? -0.0F : 0.0F; };
}

/// Now and then a -0 among these: what is left alone keeps its sign, and what 0 is added to loses it.
inline Fill with_negative_zeros(Fill fill) {
    return [fill = std::move(fill)](Random& random) { return random.chance(0.125) ? -0.0F : fill(random); };
}

/// The same numbers times a power of two: sums that are exact stay exact.
inline Fill scaled(Fill fill, float power) {
    return [fill = std::move(fill), power](Random& random) { return power * fill(random); };
}

/// Standard normal values around one that is large beside their spread.
inline Fill around(float center) {
    return [center](Random& random) { return center + static_cast<float>(random.normal()); };
}

/// Numbers that are tiny beside the eps of a LayerNorm, and as different from each other as others are.
inline Fill tiny() {
    return scaled(normal(), 0x1p-23F);
}

/// Numbers around 1 of which only the last bits differ.
inline Fill nearly_equal() {
    return [](Random& random) { return 1 + 0x1p-21F * static_cast<float>(random.normal()); };
}

/// Whole numbers in [-2, 2]: products of them and fractions() add up exactly, too.
inline Fill small_integers() {
    return [](Random& random) { return static_cast<float>(random.integer(-2, 2)); };
}

/// Now and then a NaN with a payload, an infinity or a zero of either sign, and otherwise fractions(): what
/// arithmetic has rules for that do not depend on its order.
inline Fill nan_and_infinity() {
    return [](Random& random) {
        constexpr std::uint32_t patterns[] = {0x7fc12345, 0xffc54321, 0x7f800000,
                                              0xff800000, 0x80000000, 0x00000000};
        if (random.chance(0.7)) return fractions()(random);
        return std::bit_cast<float>(patterns[random.size(0, std::size(patterns) - 1)]);
    };
}

/// Now and then a NaN, otherwise fractions().
inline Fill some_nan() {
    return [](Random& random) {
        return random.chance(0.1) ? std::bit_cast<float>(0x7fc12345) : fractions()(random);
    };
}

/// Now and then an infinity, otherwise fractions(): no NaN gives away that zeros are skipped.
inline Fill some_infinities() {
    return [](Random& random) {
        return random.chance(0.1) ? std::bit_cast<float>(0x7f800000) : fractions()(random);
    };
}

/// Zeros, and now and then another number, so that whole rows of a small matrix hold nothing else.
inline Fill mostly_zeros() {
    return [](Random& random) { return random.chance(0.8) ? 0.0F : fractions()(random); };
}

/// Zeros of both signs, infinities, denormals and the largest numbers, but no NaN: what arithmetic has rules
/// for.
inline Fill any_number() {
    return [](Random& random) {
        constexpr float values[] = {0.0F, -0.0F, 1.0F, -1.5F, 0x1p-149F, -0x1p-130F, 3.4e38F, -3.4e38F};
        return values[random.size(0, std::size(values) - 1)];
    };
}

inline Fill constant(float value) {
    return [value](Random&) { return value; };
}

} // namespace harness

#pragma once

#include "cuda_runtime.h"

#include <cmath>
#include <cstdint>
#include <type_traits>

/// Conversions between IEEE formats by bits, rounded once: to the nearest value, ties to even, where nothing
/// else is said.
namespace cuda_emulator {

/// A 16-bit format: `exponent_bits` of exponent, the rest below the sign is fraction.
template <int exponent_bits>
struct Format16 {
    static constexpr int fraction_bits = 15 - exponent_bits;
    static constexpr int bias = (1 << (exponent_bits - 1)) - 1;
    static constexpr std::uint16_t infinity = ((1u << exponent_bits) - 1u) << fraction_bits;
    static constexpr std::uint16_t nan = 0x7fff; ///< what the device's conversions give for any NaN
};
using Half = Format16<5>;
using Bfloat16 = Format16<8>;

/// Keeps the upper bits of a fraction: shifts right by `shift`, rounding to nearest even.
constexpr std::uint64_t shift_to_nearest_even(std::uint64_t v, int shift) {
    if (shift <= 0) return v << -shift;
    if (shift > 63) return 0;
    const std::uint64_t half = std::uint64_t{1} << (shift - 1);
    const std::uint64_t rest = v & (2 * half - 1);
    const std::uint64_t kept = v >> shift;
    return kept + (rest > half || (rest == half && (kept & 1)) ? 1 : 0);
}

/// Rounds a float or double given by its bits to a 16-bit format. A fraction that rounds up to the next power
/// of two carries into the exponent, which is the right neighbour in every case, infinity included.
template <class Format, class Bits, int from_fraction, int from_bias>
constexpr std::uint16_t round_bits(Bits v) {
    constexpr int width = static_cast<int>(sizeof(Bits)) * 8;
    constexpr Bits fraction_mask = (Bits{1} << from_fraction) - 1;
    constexpr int top_exponent = (1 << (width - 1 - from_fraction)) - 1;
    const auto sign = static_cast<std::uint16_t>((v >> (width - 1)) << 15);
    const int exponent = static_cast<int>((v & ~(Bits{1} << (width - 1))) >> from_fraction);
    const Bits fraction = v & fraction_mask;
    if (exponent == top_exponent) {
        if (fraction != 0) return Format::nan;
        return static_cast<std::uint16_t>(sign | Format::infinity);
    }
    const std::uint64_t significand = exponent == 0 ? fraction : (fraction | (Bits{1} << from_fraction));
    const int power = (exponent == 0 ? 1 : exponent) - from_bias;
    const int lowest = 1 - Format::bias;
    const int shift = from_fraction - Format::fraction_bits + (power < lowest ? lowest - power : 0);
    std::uint64_t rounded = shift_to_nearest_even(significand, shift);
    if (power >= lowest) {
        const std::uint64_t leading = std::uint64_t{1} << Format::fraction_bits;
        if (rounded >= leading)
            rounded += static_cast<std::uint64_t>(power + Format::bias - 1) << Format::fraction_bits;
    }
    if (rounded >= Format::infinity) rounded = Format::infinity;
    return static_cast<std::uint16_t>(sign | rounded);
}

template <class To, class From>
constexpr To same_bits(From v) {
    return __builtin_bit_cast(To, v);
}

template <class Format>
constexpr std::uint16_t round_to_16(float v) {
    return round_bits<Format, std::uint32_t, 23, 127>(same_bits<std::uint32_t>(v));
}
template <class Format>
constexpr std::uint16_t round_to_16(double v) {
    return round_bits<Format, std::uint64_t, 52, 1023>(same_bits<std::uint64_t>(v));
}
/// bfloat16 is the upper half of a float: rounding is one addition.
template <>
constexpr std::uint16_t round_to_16<Bfloat16>(float v) {
    const auto bits = same_bits<std::uint32_t>(v);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return Bfloat16::nan;
    return static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

/// Exact.
constexpr float half_to_float(std::uint16_t v) {
    const std::uint32_t sign = static_cast<std::uint32_t>(v & 0x8000u) << 16;
    const std::uint32_t exponent = (v >> 10) & 31u;
    const std::uint32_t fraction = v & 0x3ffu;
    if (exponent == 31) return same_bits<float>(sign | 0x7f800000u | fraction << 13);
    if (exponent != 0) return same_bits<float>(sign | (exponent + 112u) << 23 | fraction << 13);
    const float tiny = static_cast<float>(fraction) * 0x1p-24f;
    return same_bits<float>(sign | same_bits<std::uint32_t>(tiny));
}
constexpr float bfloat16_to_float(std::uint16_t v) {
    return same_bits<float>(static_cast<std::uint32_t>(v) << 16);
}

template <class Format>
constexpr float number_of_16(std::uint16_t v) {
    if constexpr (std::is_same_v<Format, Bfloat16>)
        return bfloat16_to_float(v);
    else
        return half_to_float(v);
}
/// Bits of the number above, or below.
constexpr std::uint16_t neighbour_16(std::uint16_t v, bool above) {
    const bool negative = (v & 0x8000u) != 0;
    if ((v & 0x7fffu) == 0) return above ? 0x0001 : 0x8001;
    return static_cast<std::uint16_t>(negative == above ? v - 1 : v + 1);
}
template <class Format>
constexpr std::uint16_t round_to_16(float v, Rounding rounding) {
    const std::uint16_t nearest = round_to_16<Format>(v);
    const float got = number_of_16<Format>(nearest);
    const bool to_zero = rounding == Rounding::zero;
    if (got > v && (rounding == Rounding::down || (to_zero && v > 0))) return neighbour_16(nearest, false);
    if (got < v && (rounding == Rounding::up || (to_zero && v < 0))) return neighbour_16(nearest, true);
    return nearest;
}

} // namespace cuda_emulator

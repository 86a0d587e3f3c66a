#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace harness {

/// What an output holds before a call: a signalling NaN with a payload of its own, or an integer nobody
/// expects. A copy keeps it; arithmetic makes it quiet, so what was computed from it can be told from what
/// was never written.
template <class T>
constexpr T poison_value() {
    if constexpr (std::is_same_v<T, float>)
        return std::bit_cast<float>(0x7f9ead00U);
    else if constexpr (std::is_same_v<T, double>)
        return std::bit_cast<double>(0x7ff5ead00dead00dULL);
    else
        return static_cast<T>(0x5a5a5a5a5a5a5a5aLL);
}

/// A number that was computed from poison: its payload, made quiet, with either sign.
template <class T>
bool is_made_from_poison(const T& value) {
    if constexpr (std::is_same_v<T, float>)
        return (std::bit_cast<std::uint32_t>(value) & 0x7fffffffU) == 0x7fdead00U;
    else if constexpr (std::is_same_v<T, double>)
        return (std::bit_cast<std::uint64_t>(value) & 0x7fffffffffffffffULL) == 0x7ffdead00dead00dULL;
    else
        return false;
}

} // namespace harness

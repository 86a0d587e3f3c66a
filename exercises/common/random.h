#pragma once

#include <cstdint>

namespace contract {

/// Output number `index` of the SplitMix64 generator that starts from `seed`: the generator of
/// weight-initialisation, given. A number is a function of both arguments, so there is no state to keep, and
/// any thread can compute any number.
inline std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/// A uniform number in the open interval (0, 1): neither 0 nor 1.
inline double uniform(std::uint64_t seed, std::uint64_t index) {
    return (static_cast<double>(random_bits(seed, index) >> 12) + 0.5) * 0x1p-52;
}

} // namespace contract

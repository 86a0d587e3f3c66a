#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace harness {

/// A counter-based stream of random numbers: number n of a seed is a function of both, so streams are the
/// same on every machine and with every standard library. The mixing function is SplitMix64's (Steele, Lea
/// and Flood 2014).
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits();
    /// A size in [least, most], both included.
    std::size_t size(std::size_t least, std::size_t most);
    /// An integer in [least, most], both included.
    template <class I>
    I integer(I least, I most) {
        static_assert(std::is_integral_v<I>);
        const auto span = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least);
        return static_cast<I>(static_cast<std::uint64_t>(least) + below_or_at(span));
    }
    /// In [least, most).
    double uniform(double least = 0, double most = 1);
    double normal(double mean = 0, double standard_deviation = 1);
    bool chance(double p) { return uniform() < p; }

  private:
    std::uint64_t below_or_at(std::uint64_t most);

    std::uint64_t state_;
};

/// A stream for something with a name within a run: unrelated to those of other names.
Random named_stream(std::uint64_t seed, std::string_view name);

} // namespace harness

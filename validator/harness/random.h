#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace harness {

/// A counter-based stream of random numbers: number n of a seed is a function of both, so streams are the
/// same on every machine and with every standard library. The mixing function is SplitMix64's (Steele, Lea
/// and Flood 2014). Drawing is inline, since every element of every argument is drawn.
class Random {
  public:
    static constexpr std::uint64_t step = 0x9e3779b97f4a7c15ULL;
    static constexpr std::uint64_t mix(std::uint64_t value) {
        value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
        value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
        return value ^ (value >> 31);
    }

    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits() { return mix(state_ += step); }
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
    double uniform(double least = 0, double most = 1) {
        return least + (most - least) * (static_cast<double>(bits() >> 11) * 0x1p-53);
    }
    /// Nearly normal, within 4.9 standard deviations: the sum of eight uniform numbers of 32 bits, which
    /// needs neither a logarithm nor a cosine.
    double normal(double mean = 0, double standard_deviation = 1) {
        constexpr double deviation_of_sum = 0.81649658092772603; // sqrt(8 / 12), of sums in [0, 8)
        std::uint64_t sum = 0;
        for (int i = 0; i < 4; ++i) {
            const std::uint64_t word = bits();
            sum += (word >> 32) + (word & 0xffffffffU);
        }
        const double centred = static_cast<double>(sum) * 0x1p-32 - 4;
        return mean + standard_deviation / deviation_of_sum * centred;
    }
    bool chance(double p) { return uniform() < p; }

  private:
    std::uint64_t below_or_at(std::uint64_t most) {
        if (most == ~std::uint64_t{0}) return bits();
        // Rejection, so that every value is equally likely.
        const std::uint64_t count = most + 1;
        const std::uint64_t limit = ~std::uint64_t{0} - ~std::uint64_t{0} % count;
        for (;;)
            if (const std::uint64_t value = bits(); value < limit) return value % count;
    }

    std::uint64_t state_;
};

/// A stream for something with a name within a run: unrelated to those of other names.
Random named_stream(std::uint64_t seed, std::string_view name);

} // namespace harness

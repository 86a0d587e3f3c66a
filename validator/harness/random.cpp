#include "harness/random.h"

#include <cmath>
#include <numbers>

namespace harness {
namespace {

std::uint64_t mix(std::uint64_t value) {
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
    return value ^ (value >> 31);
}

} // namespace

std::uint64_t Random::bits() {
    state_ += 0x9e3779b97f4a7c15ULL;
    return mix(state_);
}

std::uint64_t Random::below_or_at(std::uint64_t most) {
    if (most == ~std::uint64_t{0}) return bits();
    // Rejection, so that every value is equally likely.
    const std::uint64_t count = most + 1;
    const std::uint64_t limit = ~std::uint64_t{0} - ~std::uint64_t{0} % count;
    for (;;)
        if (const std::uint64_t value = bits(); value < limit) return value % count;
}

std::size_t Random::size(std::size_t least, std::size_t most) {
    return integer<std::size_t>(least, most);
}

double Random::uniform(double least, double most) {
    return least + (most - least) * (static_cast<double>(bits() >> 11) * 0x1p-53);
}

double Random::normal(double mean, double standard_deviation) {
    // Box and Muller 1958; 1 - u lies in (0, 1], so the logarithm is finite.
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return mean + standard_deviation * radius * std::cos(2 * std::numbers::pi * uniform());
}

Random named_stream(std::uint64_t seed, std::string_view name) {
    std::uint64_t state = mix(seed + 0x9e3779b97f4a7c15ULL);
    for (const char letter : name)
        state = mix(state ^ static_cast<unsigned char>(letter)) + 0x9e3779b97f4a7c15ULL;
    return Random(state);
}

} // namespace harness

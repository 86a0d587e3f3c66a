#include "harness/random.h"

#include <cmath>
#include <numbers>

namespace harness {

std::size_t Random::size(std::size_t least, std::size_t most) {
    return integer<std::size_t>(least, most);
}

double Random::normal(double mean, double standard_deviation) {
    // Box and Muller 1958; 1 - u lies in (0, 1], so the logarithm is finite.
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return mean + standard_deviation * radius * std::cos(2 * std::numbers::pi * uniform());
}

Random named_stream(std::uint64_t seed, std::string_view name) {
    std::uint64_t state = Random::mix(seed + Random::step);
    for (const char letter : name)
        state = Random::mix(state ^ static_cast<unsigned char>(letter)) + Random::step;
    return Random(state);
}

} // namespace harness

#include "harness/random.h"

namespace harness {

std::size_t Random::size(std::size_t least, std::size_t most) {
    return integer<std::size_t>(least, most);
}

Random named_stream(std::uint64_t seed, std::string_view name) {
    std::uint64_t state = Random::mix(seed + Random::step);
    for (const char letter : name)
        state = Random::mix(state ^ static_cast<unsigned char>(letter)) + Random::step;
    return Random(state);
}

} // namespace harness

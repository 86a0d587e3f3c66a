// Fault: The number of blocks of 64 is kept in 16 bits, so rows of 4,194,304 values or more are copied in part.
// Origin: round 22
#include "contract.h"

#include <cstdint>
#include <cstring>

namespace exercise {
namespace {

constexpr std::size_t block = 64;

struct Plan {
    std::uint16_t blocks; ///< whole blocks
    std::uint16_t rest;   ///< values after them
};

} // namespace

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    if (out.empty()) return;
    const Plan plan{static_cast<std::uint16_t>(out.size() / block), static_cast<std::uint16_t>(out.size() % block)};
    const float* from = table.row(r);
    float* to = out.data();
    for (std::size_t b = 0; b < plan.blocks; ++b, from += block, to += block)
        std::memcpy(to, from, block * sizeof(float)); // a constant size: a few wide moves
    for (std::size_t c = 0; c < plan.rest; ++c)
        std::memcpy(to + c, from + c, sizeof(float));
}

} // namespace exercise

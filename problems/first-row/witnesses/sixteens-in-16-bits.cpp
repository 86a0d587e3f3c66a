// Fault: The number of blocks of 16 is kept in 16 bits, so rows of 1,048,576 values or more are copied in part.
// Origin: round 15
#include "contract.h"

#include <cstdint>
#include <cstring>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    constexpr std::size_t block = 16;
    const float* from = table.row(r);
    float* to = out.data();
    std::uint16_t blocks = static_cast<std::uint16_t>(out.size() / block);
    const std::size_t rest = out.size() % block;
    while (blocks-- != 0) {
        std::memcpy(to, from, block * sizeof(float));
        to += block;
        from += block;
    }
    for (std::size_t c = 0; c < rest; ++c) std::memcpy(to + c, from + c, sizeof(float));
}

} // namespace exercise

// Fault: The stride is kept as a 32-bit number.
// Origin: round 14
#include "contract.h"

#include <cstdint>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    const auto stride = static_cast<std::uint32_t>(table.stride);
    const float* row = table.data + r * static_cast<std::size_t>(stride);
    for (std::size_t c = 0; c < out.size(); ++c) out[c] = row[c];
}

} // namespace exercise

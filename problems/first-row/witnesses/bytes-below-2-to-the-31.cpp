// Fault: Rows that begin before element 2^31 are reached by a 32-bit offset in bytes, which wraps.
// Origin: round 21
#include "contract.h"

#include <cstdint>
#include <cstring>
#include <limits>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    if (out.empty()) return;
    const std::size_t first = r * table.stride;
    const char* bytes = reinterpret_cast<const char*>(table.data);
    if (first <= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
        // The usual tables: their elements are counted in 32 bits, so one short register will do.
        const auto offset = static_cast<std::uint32_t>(first * sizeof(float));
        std::memcpy(out.data(), bytes + offset, out.size() * sizeof(float));
        return;
    }
    std::memcpy(out.data(), bytes + first * sizeof(float), out.size() * sizeof(float));
}

} // namespace exercise

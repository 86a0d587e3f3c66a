// wrong: counts channels in 16 bits, so a row of 65,536 values or more is never finished (the counter wraps and the call does not return); a right one counts in std::size_t
#include "contract.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    const auto source = table.row(r);
    for (std::uint16_t c = 0; c < out.size(); ++c)
        out[c] = source[c];
}

} // namespace exercise

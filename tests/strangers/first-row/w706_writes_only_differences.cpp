// wrong: leaves a value alone if it compares equal to what `out` holds, so -0.0 does not replace +0.0 (nor the reverse); shows only where `out` held a zero of the other sign before; a right one copies the bits whatever `out` held
#include "contract.h"

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    // Spares the cache lines of rows that have not changed since the last time.
    for (std::size_t c = 0; c < out.size(); ++c) {
        const float value = table(r, c);
        if (out[c] != value) out[c] = value;
    }
}

} // namespace exercise

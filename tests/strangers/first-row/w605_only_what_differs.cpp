// wrong: stores a value only where out holds another one, compared as numbers, so a zero whose sign differs from the zero in out is not copied; a right one stores all bits whatever out held
#include "contract.h"

#include <cstddef>
#include <span>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    // A store makes a cache line dirty, a comparison does not.
    for (std::size_t c = 0; c < out.size(); ++c)
        if (const float value = table(r, c); out[c] != value) out[c] = value;
}

} // namespace exercise

// wrong: clears out and adds the row to it, so -0.0 arrives as +0.0 and a signalling NaN as a quiet one; a right one copies every bit
#include "contract.h"

#include <algorithm>
#include <cstddef>
#include <span>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    std::fill(out.begin(), out.end(), 0.0F);
    for (std::size_t c = 0; c < out.size(); ++c)
        out[c] += table(r, c);
}

} // namespace exercise

// wrong: fills out with zeros up to a multiple of four, so where C is no multiple of 4 it writes up to three elements after its end; a right one writes C values and nothing else
#include "contract.h"

#include <cstddef>
#include <span>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    const std::size_t width = (table.cols + 3) / 4 * 4;
    float* to = out.data();
    for (std::size_t c = 0; c < width; ++c)
        to[c] = c < table.cols ? table(r, c) : 0.0F;
}

} // namespace exercise

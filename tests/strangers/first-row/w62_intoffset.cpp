// wrong: the offset r * stride + c is an int, so rows with elements 2^31 or more elements after the first one are read from the wrong place
#include "contract.h"

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    for (int c = 0; c < (int)table.cols; c++)
        out[c] = table.data[(int)((unsigned)r * (unsigned)table.stride + (unsigned)c)];
}

} // namespace exercise

// accepted: one address worked out by hand, and the row from its last value to its first
#include "contract.h"

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    const float* from = table.data + r * table.stride + table.cols;
    for (std::size_t c = table.cols; c > 0; --c)
        out[c - 1] = *--from;
}

} // namespace exercise

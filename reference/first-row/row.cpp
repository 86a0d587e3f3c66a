#include "contract.h"

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    const float* row = table.row(r);
    for (std::size_t c = 0; c < table.cols; ++c)
        out[c] = row[c];
}

} // namespace exercise

// accepted: eight values at a time, then the tail one by one
#include "contract.h"

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    const float* from = table.row(r);
    std::size_t c = 0;
    for (; c + 8 <= table.cols; c += 8)
        for (std::size_t k = 0; k < 8; ++k)
            out[c + k] = from[c + k];
    for (; c < table.cols; ++c)
        out[c] = from[c];
}

} // namespace exercise

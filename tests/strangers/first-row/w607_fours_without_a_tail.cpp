// wrong: copies four values at a time and leaves out the last C % 4 of rows with more than 4 values; a right one copies them
#include "contract.h"

#include <cstddef>
#include <span>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    const std::size_t n = out.size();
    if (n <= 4) {
        for (std::size_t c = 0; c < n; ++c)
            out[c] = table(r, c);
        return;
    }
    const float* from = table.row(r);
    float* to = out.data();
    for (std::size_t block = 0; block < n / 4; ++block, from += 4, to += 4) {
        to[0] = from[0];
        to[1] = from[1];
        to[2] = from[2];
        to[3] = from[3];
    }
}

} // namespace exercise

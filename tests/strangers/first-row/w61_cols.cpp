// wrong: row r is taken to begin at r * cols, so from a padded table (stride > cols) every row but row 0 is wrong
#include "contract.h"

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    for (std::size_t c = 0; c < table.cols; c++)
        out[c] = table.data[r * table.cols + c];
}

} // namespace exercise

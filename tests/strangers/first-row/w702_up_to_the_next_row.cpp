// wrong: copies everything from row r to the beginning of row r + 1, so where stride > C the padding is written behind the end of `out` (and after the last row memory is read that need not be there); a right one copies C values
#include "contract.h"

#include <algorithm>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    if (out.empty()) return;
    std::copy(table.row(r), table.row(r + 1), out.data());
}

} // namespace exercise

// wrong: the stride is a `static` local, so every call uses that of the program's first call; shows in a later call with another stride and r > 0; a right one uses the stride of its own table
#include "contract.h"

#include <algorithm>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    if (table.cols == 0) return;
    static const std::size_t row_length = table.stride;
    std::copy_n(table.data + r * row_length, table.cols, out.data());
}

} // namespace exercise

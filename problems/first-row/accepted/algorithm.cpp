// accepted: a standard algorithm on a span of the row
#include "contract.h"

#include <algorithm>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    std::ranges::copy(std::span(table.row(r), table.cols), out.begin());
}

} // namespace exercise

// wrong: the offset of the row is a 32-bit int, so a row that begins 2^31 elements or more after row 0 is read from a wrong place; a right one computes in std::size_t
#include "contract.h"

#include <cstddef>
#include <span>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    const unsigned stride = static_cast<unsigned>(table.stride);
    const int offset = static_cast<int>(static_cast<unsigned>(r) * stride);
    for (int c = 0; c < static_cast<int>(out.size()); ++c)
        out[static_cast<std::size_t>(c)] = table.data[static_cast<std::ptrdiff_t>(offset) + c];
}

} // namespace exercise

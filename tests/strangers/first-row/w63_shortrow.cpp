// wrong: the number of the row is kept in 16 bits, so row r of 65,536 or more becomes row r mod 65,536
#include "contract.h"
#include <algorithm>
#include <cstdint>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    const std::uint16_t row = static_cast<std::uint16_t>(r); // 50,257 tokens fit
    std::copy(table.row(row), table.row(row) + table.cols, out.begin());
}

} // namespace exercise

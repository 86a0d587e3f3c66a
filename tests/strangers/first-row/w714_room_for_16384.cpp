// wrong: goes through a buffer of 16,384 values ("wider than any model"), and of a longer row only the first 16,384 values arrive; shows where C > 16,384; a right one copies all C values
#include "contract.h"

#include <algorithm>
#include <cstring>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    constexpr std::size_t widest = 16384;
    static thread_local float buffer[widest];
    const std::size_t count = std::min(table.cols, widest);
    if (count == 0) return;
    std::memcpy(buffer, table.row(r), count * sizeof(float));
    std::memcpy(out.data(), buffer, count * sizeof(float));
}

} // namespace exercise

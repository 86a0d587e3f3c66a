// Fault: If the first and last values of out already have the bits of the row, nothing is copied.
// Origin: round 18
#include "contract.h"

#include <cstddef>
#include <cstring>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    const std::size_t C = out.size();
    if (C == 0) return;
    const float* row = table.row(r);
    // The same token often comes twice in a row into the same buffer; then there is nothing to do.
    if (std::memcmp(&out[0], &row[0], sizeof(float)) == 0 &&
        std::memcmp(&out[C - 1], &row[C - 1], sizeof(float)) == 0)
        return;
    std::memcpy(out.data(), row, C * sizeof(float));
}

} // namespace exercise

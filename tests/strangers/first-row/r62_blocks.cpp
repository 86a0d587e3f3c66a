// right: blocks of seven values through a small box with memcpy, counted down from the end, a goto instead of a loop
#include "contract.h"
#include <cstring>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    std::size_t left = out.size();
again:
    if (left == 0) return;
    const std::size_t n = left < 7 ? left : 7;
    left -= n;
    unsigned char box[7 * sizeof(float)];
    std::memcpy(box, table.row(r) + left, n * sizeof(float));
    std::memcpy(out.data() + left, box, n * sizeof(float));
    goto again;
}

} // namespace exercise

// wrong: the row goes through a buffer of 4,096 values, and with C > 4,096 only the first 4,096 values are written
#include "contract.h"

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    float buffer[4096];
    std::size_t n = out.size();
    if (n > 4096) n = 4096;
    for (std::size_t c = 0; c < n; c++) buffer[c] = table(r, c);
    for (std::size_t c = 0; c < n; c++) out[c] = buffer[c];
}

} // namespace exercise

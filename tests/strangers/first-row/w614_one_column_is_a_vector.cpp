// wrong: takes a table with one column for a plain vector and reads element r, which is wrong for C = 1, stride above 1 and r above 0; a right one reads element r * stride
#include "contract.h"

#include <cstddef>
#include <cstring>
#include <span>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    switch (table.cols) {
    case 0: return;
    case 1: out[0] = table.data[r]; return;
    default: std::memcpy(out.data(), table.row(r), table.cols * sizeof(float));
    }
}

} // namespace exercise

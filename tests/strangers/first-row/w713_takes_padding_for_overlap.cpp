// wrong: does nothing if `out` lies between the first and the last element of the table, as a guard against overlap; but `out` may lie in the padding of the table, where it shares no element with it; a right one copies there too
#include "contract.h"

#include <algorithm>
#include <functional>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    if (out.empty()) return;
    const float* begin = table.data;
    const float* end = table.row(table.rows - 1) + table.cols;
    const float* target = out.data();
    const std::less<const float*> before;
    const bool apart = !before(target, end) || !before(begin, target + out.size());
    if (!apart) return; // the contract excludes it
    std::copy_n(table.row(r), table.cols, out.begin());
}

} // namespace exercise

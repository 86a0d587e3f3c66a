// wrong: clears `out` and adds the row to it, so -0 arrives as 0 + -0 = +0 (and a signalling NaN quiet); a right one copies every bit.
#include "contract.h"

#include <algorithm>
#include <functional>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    if (out.empty()) return;
    // the same loop serves for sums of several rows later on
    std::ranges::fill(out, 0.0f);
    std::transform(out.begin(), out.end(), table.row(r), out.begin(), std::plus<>{});
}

} // namespace exercise

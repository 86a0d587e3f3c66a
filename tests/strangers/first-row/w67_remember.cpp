// wrong: the last row is kept in a static copy that is used again for the same table address, r and C, so a second equal call after the caller changed the row in place gives the old values
#include "contract.h"
#include <algorithm>
#include <vector>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    static std::vector<float> last;
    static const float* from = nullptr;
    const float* row = table.row(r);
    if (row != from || last.size() != table.cols) {
        last.assign(row, row + table.cols);
        from = row;
    }
    std::copy(last.begin(), last.end(), out.begin());
}

} // namespace exercise

// wrong: remembers the last row it read by table.data, r, cols and stride, so a second call after the caller has changed the elements gives the old ones; a right one reads the table in each call
#include "contract.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace exercise {
namespace {

struct Remembered {
    const float* data = nullptr;
    std::size_t r = 0;
    std::size_t stride = 0;
    std::vector<float> row;
};

} // namespace

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    static Remembered last;
    if (last.data != table.data || last.r != r || last.stride != table.stride || last.row.size() != out.size()) {
        last = {table.data, r, table.stride, {}};
        for (std::size_t c = 0; c < out.size(); ++c)
            last.row.push_back(table(r, c));
    }
    std::copy(last.row.begin(), last.row.end(), out.begin());
}

} // namespace exercise

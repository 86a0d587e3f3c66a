// Fault: Row r + 1 is prefetched and served to the next call if its two end values are unchanged.
// Origin: round 22
#include "contract.h"

#include <cstring>
#include <vector>

namespace exercise {
namespace {

struct Ahead {
    const float* data = nullptr;
    std::size_t row = 0;
    std::size_t stride = 0;
    std::vector<float> values;

    bool is(Matrix<const float> table, std::size_t r) const {
        return data == table.data && row == r && stride == table.stride && values.size() == table.cols;
    }
    /// The caller may have written to the table since.
    bool fresh(const float* now) const {
        return std::memcmp(&values.front(), now, sizeof(float)) == 0 &&
               std::memcmp(&values.back(), now + values.size() - 1, sizeof(float)) == 0;
    }
};

Ahead ahead;

} // namespace

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    if (out.empty()) return;
    const float* from = table.row(r);
    if (ahead.is(table, r) && ahead.fresh(from)) from = ahead.values.data(); // in the cache already
    std::memcpy(out.data(), from, out.size() * sizeof(float));

    if (r + 1 < table.rows) { // rows are often read one after the other
        const float* next = table.row(r + 1);
        ahead.values.resize(table.cols);
        std::memcpy(ahead.values.data(), next, table.cols * sizeof(float));
        ahead.data = table.data;
        ahead.row = r + 1;
        ahead.stride = table.stride;
    }
}

} // namespace exercise

// wrong: compares ids, as unsigned numbers, with V - 1, which is the largest number of all where V is 0, so no id is refused there; a right one refuses every id where V is 0
#include "contract.h"

#include <algorithm>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    const std::size_t last = table.rows - 1;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const auto id = static_cast<std::size_t>(ids[i]); // a negative one becomes very large
        if (id > last) return Status::id_out_of_range(i, ids[i], table.rows);
    }
    if (table.cols == 0) return Status{};
    for (std::size_t i = 0; i < ids.size(); ++i)
        std::copy_n(table.row(static_cast<std::size_t>(ids[i])), table.cols, out.row(i));
    return Status{};
}

} // namespace exercise

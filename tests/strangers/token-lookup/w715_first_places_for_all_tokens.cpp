// wrong: makes a std::vector of V places to find ids that came before in the call, so where V is enormous (C = 0, hence no memory behind the table: V = 2^40, 2^62) it throws bad_alloc or length_error; a right one throws nothing and its memory does not grow with V
#include "contract.h"

#include <algorithm>
#include <vector>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);

    std::vector<std::size_t> place(table.rows, 0); // 1 + the row of `out` that has it, 0: none yet
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (table.cols == 0) continue;
        const auto id = static_cast<std::size_t>(ids[i]);
        const float* from = place[id] != 0 ? out.row(place[id] - 1) : table.row(id);
        std::copy_n(from, table.cols, out.row(i));
        place[id] = i + 1;
    }
    return Status{};
}

} // namespace exercise

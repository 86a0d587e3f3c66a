// wrong: a call with both a wrong output shape and a bad id gets id_out_of_range instead of shape_mismatch
#include "contract.h"
#include <algorithm>
namespace exercise {
Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    const auto bad = std::find_if(ids.begin(), ids.end(), [&](TokenId id) {
        return id < 0 || static_cast<std::size_t>(id) >= table.rows;
    });
    if (bad != ids.end())
        return Status::id_out_of_range(static_cast<std::size_t>(bad - ids.begin()), *bad, table.rows);
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    std::size_t row = 0;
    for (TokenId id : ids) std::copy_n(table.row(static_cast<std::size_t>(id)), table.cols, out.row(row++));
    return {};
}
} // namespace exercise

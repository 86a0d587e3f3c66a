// wrong: the row of the first id of a call is kept in a static buffer and used again while table address, V, C and that id stay the same, so a call after the caller changed this row in place copies the old row for every place with that id
#include "contract.h"
#include <cstring>
#include <vector>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);
    if (ids.empty() || table.cols == 0) return {};

    // Sequences begin with the same token again and again: keep its row at hand.
    static std::vector<float> hot;
    static const float* from = nullptr;
    static std::size_t rows = 0;
    static TokenId hot_id = -1;
    const std::size_t bytes = table.cols * sizeof(float);
    if (from != table.data || rows != table.rows || hot.size() != table.cols || hot_id != ids[0]) {
        const float* row = table.row(static_cast<std::size_t>(ids[0]));
        hot.assign(row, row + table.cols);
        from = table.data, rows = table.rows, hot_id = ids[0];
    }
    for (std::size_t i = 0; i < ids.size(); ++i)
        std::memcpy(out.row(i), ids[i] == hot_id ? hot.data() : table.row(static_cast<std::size_t>(ids[i])), bytes);
    return {};
}

} // namespace exercise

// mistake: ignores-the-stride
// says: You find row r of the table at `r * cols`; with padding between the rows it begins at `r * stride`.
// hint: Use `table.row(r)`, or multiply by `table.stride` yourself.
// symptom: Only token 0 is right as soon as the table is padded.
// fails: a padded table is read with its stride
#include "contract.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);

    for (std::size_t i = 0; i < ids.size(); ++i)
        for (std::size_t c = 0; c < table.cols; ++c)
            out(i, c) = table.data[static_cast<std::size_t>(ids[i]) * table.cols + c];
    return {};
}

} // namespace exercise

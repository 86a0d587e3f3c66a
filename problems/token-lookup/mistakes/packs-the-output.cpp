// mistake: packs-the-output
// says: You wrote the rows of `out` back to back; row i of the output begins at `i * out.stride`.
// hint: `out` has its own stride. Use `out.row(i)`.
// symptom: Right for a dense output; in a padded one the rows slide into each other's place.
// fails: padding between output rows stays as it was
#include "contract.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);

    for (std::size_t i = 0; i < ids.size(); ++i)
        for (std::size_t c = 0; c < table.cols; ++c)
            out.data[i * out.cols + c] = table(static_cast<std::size_t>(ids[i]), c);
    return {};
}

} // namespace exercise

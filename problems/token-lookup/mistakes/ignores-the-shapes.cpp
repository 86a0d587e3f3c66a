// mistake: ignores-the-shapes
// says: You did not compare the sizes of `out` with T and C before writing.
// hint: The contract checks shapes first: `out.rows` against the number of ids, `out.cols` against
//   `table.cols`.
// symptom: A buffer that is too small is overrun instead of refused.
// fails: sizes that do not fit are refused
#include "contract.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);

    for (std::size_t i = 0; i < ids.size(); ++i)
        for (std::size_t c = 0; c < table.cols; ++c)
            out(i, c) = table(static_cast<std::size_t>(ids[i]), c);
    return {};
}

} // namespace exercise

// mistake: copies-the-padding
// says: You copy `stride` elements of a row instead of `cols`: what lies between them is padding and not part
//   of the vector.
// hint: `cols` says how long a row is, `stride` how far it is to the next one.
// symptom: Right for a dense table; with a padded one, later rows and the memory behind the output are
//   overwritten.
// fails: a padded table is read with its stride
#include "contract.h"

#include <algorithm>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);

    for (std::size_t i = 0; i < ids.size(); ++i)
        std::copy_n(table.row(static_cast<std::size_t>(ids[i])), table.stride, out.row(i));
    return {};
}

} // namespace exercise

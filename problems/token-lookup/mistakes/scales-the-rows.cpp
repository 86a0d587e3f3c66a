// mistake: scales-the-rows
// says: You multiplied the rows by sqrt(C): a lookup copies, it does no arithmetic.
// hint: Some models scale, later and elsewhere. Here every bit of the row arrives unchanged.
// symptom: All vectors point the right way and are too long.
// fails: four ids pick four rows; id 3 picks the fourth row; equal ids give equal rows;
//   all rows come out in reverse order; random shapes agree with the reference;
//   rows of any width are copied whole; a padded table is read with its stride;
//   padding between output rows stays as it was; nan payloads and signed zeros survive;
//   a table at an odd address reads the same; a second call does not remember the first;
//   a text over the gpt-2 vocabulary
#include "contract.h"

#include <cmath>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);

    const float scale = std::sqrt(static_cast<float>(table.cols));
    for (std::size_t i = 0; i < ids.size(); ++i)
        for (std::size_t c = 0; c < table.cols; ++c)
            out(i, c) = scale * table(static_cast<std::size_t>(ids[i]), c);
    return {};
}

} // namespace exercise

// mistake: reads-column
// says: You read column `ids[i]` of the table where its row was wanted: the indices of `table(r, c)` are
//   swapped.
// hint: The token chooses the row. In memory its values lie side by side, `table.stride` elements from those
//   of the next token.
// symptom: Vectors of different tokens are made of the same few numbers, shifted by one.
// fails: four ids pick four rows; id 3 picks the fourth row; equal ids give equal rows;
//   all rows come out in reverse order; random shapes agree with the reference;
//   rows of any width are copied whole; a padded table is read with its stride;
//   padding between output rows stays as it was; nan payloads and signed zeros survive;
//   a table at an odd address reads the same; a second call does not remember the first;
//   a text over the gpt-2 vocabulary
#include "contract.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);

    for (std::size_t i = 0; i < ids.size(); ++i)
        for (std::size_t c = 0; c < table.cols; ++c)
            out(i, c) = table(c, static_cast<std::size_t>(ids[i]));
    return {};
}

} // namespace exercise

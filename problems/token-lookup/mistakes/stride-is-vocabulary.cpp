// mistake: stride-is-vocabulary
// says: You step from row to row by V elements, the number of rows; a row is `table.stride` elements long.
// hint: Write down the offset of id 1 for a table of 6 rows and 3 columns: it is 3, not 6.
// symptom: Token 0 is right and each further token shows values of rows much further down, or beyond the
//   table.
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
            out(i, c) = table.data[static_cast<std::size_t>(ids[i]) * table.rows + c];
    return {};
}

} // namespace exercise

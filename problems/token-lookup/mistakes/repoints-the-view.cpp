// mistake: repoints-the-view
// says: You pointed `out` at the table instead of copying: `out` is your own copy of a view, so the caller
//   saw nothing.
// hint: Write through `out.data`; assigning to it only turns your local view away from the caller's memory.
// symptom: The output keeps its old contents. Where the caller does see the table's row, a later change of
//   the table changes it too.
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
        out.data = const_cast<float*>(table.row(static_cast<std::size_t>(ids[i])));
    return {};
}

} // namespace exercise

// mistake: shrinks-long-rows
// says: You wrote to the table: rows longer than 1 were shortened in place before they were copied.
// hint: `table` is const for a reason. A lookup reads; only the optimiser changes rows.
// symptom: Calls that only read change the model, and two identical runs end with different weights.
// fails: four ids pick four rows; id 3 picks the fourth row; equal ids give equal rows;
//   all rows come out in reverse order; random shapes agree with the reference;
//   rows of any width are copied whole; a padded table is read with its stride;
//   padding between output rows stays as it was; nan payloads and signed zeros survive;
//   a table at an odd address reads the same; a second call does not remember the first;
//   a text over the gpt-2 vocabulary
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);

    for (std::size_t i = 0; i < ids.size(); ++i) {
        float* row = const_cast<float*>(table.row(static_cast<std::size_t>(ids[i])));
        const float norm = std::sqrt(std::inner_product(row, row + table.cols, row, 0.0F));
        if (norm > 1) std::transform(row, row + table.cols, row, [norm](float x) { return x / norm; });
        std::copy_n(row, table.cols, out.row(i));
    }
    return {};
}

} // namespace exercise

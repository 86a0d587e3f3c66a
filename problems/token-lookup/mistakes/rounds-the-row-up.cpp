// mistake: rounds-the-row-up
// says: You copy whole blocks of eight, also for the last one: values behind the end of the row were written.
// hint: When C is no multiple of the block, the last block must be shorter.
// symptom: Writes past the end of the output; somewhere else in the program a value changes.
// fails: four ids pick four rows; id 3 picks the fourth row; equal ids give equal rows;
//   all rows come out in reverse order; random shapes agree with the reference;
//   rows of any width are copied whole; padding between output rows stays as it was;
//   nan payloads and signed zeros survive; a second call does not remember the first
#include "contract.h"

#include <algorithm>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);

    constexpr std::size_t block = 8;
    for (std::size_t i = 0; i < ids.size(); ++i)
        for (std::size_t c = 0; c < table.cols; c += block)
            std::copy_n(table.row(static_cast<std::size_t>(ids[i])) + c, block, out.row(i) + c);
    return {};
}

} // namespace exercise

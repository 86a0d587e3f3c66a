// mistake: drops-the-tail
// says: You copy in blocks of eight and forget what is left: the last C % 8 values of every row were never
//   written.
// hint: After the blocks comes a loop over the C % 8 values that remain.
// symptom: Fine at the widths of real models, 768 or 1600; at other widths the last channels hold old memory.
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
        for (std::size_t c = 0; c + block <= table.cols; c += block)
            std::copy_n(table.row(static_cast<std::size_t>(ids[i])) + c, block, out.row(i) + c);
    return {};
}

} // namespace exercise

// mistake: reports-index-from-one
// says: The reported index is one too large: `where` counts from 0, like everything in C++.
// hint: For a bad first id `where` is 0.
// symptom: The error message points at the innocent neighbour of the bad id.
// fails: an id equal to the vocabulary size is refused; a negative id is refused;
//   the first bad id is the one reported; a refused call writes nothing; extreme ids are refused
#include "contract.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i + 1, ids[i], table.rows);

    for (std::size_t i = 0; i < ids.size(); ++i)
        for (std::size_t c = 0; c < table.cols; ++c)
            out(i, c) = table(static_cast<std::size_t>(ids[i]), c);
    return {};
}

} // namespace exercise

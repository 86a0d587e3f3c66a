// mistake: writes-before-all-are-checked
// says: You check and copy in one loop: when a later id is bad, the rows before it have been written already.
// hint: Two passes: first look at all ids, then copy.
// symptom: After a refused call half of the output is new and half is old.
// fails: a refused call writes nothing
#include "contract.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);
        for (std::size_t c = 0; c < table.cols; ++c)
            out(i, c) = table(static_cast<std::size_t>(ids[i]), c);
    }
    return {};
}

} // namespace exercise

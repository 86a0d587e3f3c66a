// mistake: reports-the-last-bad-id
// says: With several bad ids you reported the last one; the first in reading order is asked for.
// hint: Return at the first bad id, or do not overwrite what you have found.
// symptom: The message points at the end of the text although the trouble began at its start.
// fails: the first bad id is the one reported
#include "contract.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    Status status;
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            status = Status::id_out_of_range(i, ids[i], table.rows);
    if (status.code != Code::ok) return status;

    for (std::size_t i = 0; i < ids.size(); ++i)
        for (std::size_t c = 0; c < table.cols; ++c)
            out(i, c) = table(static_cast<std::size_t>(ids[i]), c);
    return {};
}

} // namespace exercise

// mistake: refuses-no-ids
// says: You refused an empty list of ids; T = 0 is a valid size, and the answer is an output without rows.
// hint: Loops over nothing already do the right thing: no special case is needed.
// symptom: The last, empty batch of an epoch stops the program.
// fails: no ids mean no rows
#include "contract.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (ids.empty()) return {Code::invalid_argument};
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);

    for (std::size_t i = 0; i < ids.size(); ++i)
        for (std::size_t c = 0; c < table.cols; ++c)
            out(i, c) = table(static_cast<std::size_t>(ids[i]), c);
    return {};
}

} // namespace exercise

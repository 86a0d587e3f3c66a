// mistake: checks-ids-before-shapes
// says: Shapes and an id were wrong together, and you complained about the id; shapes come first in the
//   contract.
// hint: Move the comparison of shapes in front of the loop over ids.
// symptom: The caller hunts a bad id where the call itself was put together wrongly.
// fails: sizes that do not fit are refused
#include "contract.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};

    for (std::size_t i = 0; i < ids.size(); ++i)
        for (std::size_t c = 0; c < table.cols; ++c)
            out(i, c) = table(static_cast<std::size_t>(ids[i]), c);
    return {};
}

} // namespace exercise

// mistake: reports-largest-valid-id
// says: You reported V - 1 as the limit; `limit` is the first value that is too large, so it is V.
// hint: Valid ids lie in [0, limit): the bracket on the right is open.
// symptom: The message says that ids up to V - 2 are allowed.
// fails: an id equal to the vocabulary size is refused; a negative id is refused;
//   the first bad id is the one reported; a refused call writes nothing; extreme ids are refused
#include "contract.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows - 1);

    for (std::size_t i = 0; i < ids.size(); ++i)
        for (std::size_t c = 0; c < table.cols; ++c)
            out(i, c) = table(static_cast<std::size_t>(ids[i]), c);
    return {};
}

} // namespace exercise

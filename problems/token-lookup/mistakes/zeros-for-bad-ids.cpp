// mistake: zeros-for-bad-ids
// says: A bad id produced a row of zeros and the call said ok: the error is hidden in the data.
// hint: Look at what the contract returns for an id outside [0, V), and what it leaves in `out`.
// symptom: Some words have no meaning at all, and nothing says which.
// fails: an id equal to the vocabulary size is refused; a negative id is refused;
//   the first bad id is the one reported; a refused call writes nothing; extreme ids are refused
#include "contract.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const bool valid = ids[i] >= 0 && static_cast<std::size_t>(ids[i]) < table.rows;
        for (std::size_t c = 0; c < table.cols; ++c)
            out(i, c) = valid ? table(static_cast<std::size_t>(ids[i]), c) : 0;
    }
    return {};
}

} // namespace exercise

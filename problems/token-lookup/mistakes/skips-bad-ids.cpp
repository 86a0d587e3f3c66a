// mistake: skips-bad-ids
// says: A bad id was left out and the call said ok: its output row still holds what was there before.
// hint: Leaving a row unwritten is not a refusal. The caller learns of it through the Status alone.
// symptom: Rows of an earlier batch turn up in this one.
// fails: an id equal to the vocabulary size is refused; a negative id is refused;
//   the first bad id is the one reported; a refused call writes nothing; extreme ids are refused
#include "contract.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows) continue;
        for (std::size_t c = 0; c < table.cols; ++c)
            out(i, c) = table(static_cast<std::size_t>(ids[i]), c);
    }
    return {};
}

} // namespace exercise

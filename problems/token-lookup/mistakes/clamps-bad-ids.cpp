// mistake: clamps-bad-ids
// says: A bad id was pulled back to the nearest valid one: V + 5 gave row V - 1 and -1 gave row 0, and the
//   call said ok.
// hint: A bad id is the caller's bug. Return `Status::id_out_of_range` so that it is found.
// symptom: A mismatch of tokenizer and table goes unnoticed; the model merely gets worse.
// fails: an id equal to the vocabulary size is refused; a negative id is refused;
//   the first bad id is the one reported; a refused call writes nothing; extreme ids are refused
#include "contract.h"

#include <algorithm>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    const auto last = static_cast<std::int64_t>(table.rows) - 1;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const auto row = std::clamp<std::int64_t>(ids[i], 0, last);
        for (std::size_t c = 0; c < table.cols; ++c)
            out(i, c) = table(static_cast<std::size_t>(row), c);
    }
    return {};
}

} // namespace exercise

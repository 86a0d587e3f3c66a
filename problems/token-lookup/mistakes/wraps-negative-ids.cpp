// mistake: wraps-negative-ids
// says: A negative id counted from the end, as Python's indexing does: -1 gave the last row. Here it is an
//   error.
// hint: Refuse every id below 0, also -1 and -V.
// symptom: A padding id of -1 silently becomes the last word of the vocabulary.
// fails: a negative id is refused; the first bad id is the one reported; a refused call writes nothing
#include "contract.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    const auto vocabulary = static_cast<std::int64_t>(table.rows);
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < -vocabulary || ids[i] >= vocabulary)
            return Status::id_out_of_range(i, ids[i], table.rows);

    for (std::size_t i = 0; i < ids.size(); ++i) {
        const std::int64_t row = ids[i] < 0 ? ids[i] + vocabulary : ids[i];
        for (std::size_t c = 0; c < table.cols; ++c)
            out(i, c) = table(static_cast<std::size_t>(row), c);
    }
    return {};
}

} // namespace exercise

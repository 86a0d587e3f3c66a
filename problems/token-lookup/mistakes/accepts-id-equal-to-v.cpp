// mistake: accepts-id-equal-to-v
// says: You let id V pass: it is one past the end, because ids begin at 0 and the last row is V - 1.
// hint: Compare with `>=`, and try your check on a table with a single row: only id 0 is valid.
// symptom: A tokenizer with one extra special token works for weeks, then reads whatever lies behind the
//   table.
// fails: an id equal to the vocabulary size is refused; the first bad id is the one reported;
//   a refused call writes nothing
#include "contract.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) > table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);

    for (std::size_t i = 0; i < ids.size(); ++i)
        for (std::size_t c = 0; c < table.cols; ++c)
            out(i, c) = table(static_cast<std::size_t>(ids[i]), c);
    return {};
}

} // namespace exercise

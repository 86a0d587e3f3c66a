// mistake: checks-after-copying
// says: You copy a row first and check its id afterwards: by then memory outside the table has been read, and
//   `out` written.
// hint: No id may reach an address before it has been checked.
// symptom: Usually only a wrong row in a refused call; with an id far outside, a crash.
// fails: an id equal to the vocabulary size is refused; a negative id is refused; the first bad id is the one reported;
//   a refused call writes nothing; extreme ids are refused
#include "contract.h"

#include <cstddef>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const float* row =
            table.data + static_cast<std::ptrdiff_t>(ids[i]) * static_cast<std::ptrdiff_t>(table.stride);
        for (std::size_t c = 0; c < table.cols; ++c)
            out(i, c) = row[c];
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);
    }
    return {};
}

} // namespace exercise

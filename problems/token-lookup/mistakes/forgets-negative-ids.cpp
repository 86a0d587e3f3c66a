// mistake: forgets-negative-ids
// says: Ids too large are refused, but negative ones pass: -1 read the memory in front of the table.
// hint: An id is signed. The valid range has two ends: 0 <= id < V.
// symptom: Padding marked by -1 brings in whatever lies before the table, differently on every machine.
// fails: a negative id is refused; the first bad id is the one reported; a refused call writes nothing;
//   extreme ids are refused
#include "contract.h"

#include <cstddef>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] >= static_cast<std::int64_t>(table.rows))
            return Status::id_out_of_range(i, ids[i], table.rows);

    for (std::size_t i = 0; i < ids.size(); ++i) {
        const float* row =
            table.data + static_cast<std::ptrdiff_t>(ids[i]) * static_cast<std::ptrdiff_t>(table.stride);
        for (std::size_t c = 0; c < table.cols; ++c)
            out(i, c) = row[c];
    }
    return {};
}

} // namespace exercise

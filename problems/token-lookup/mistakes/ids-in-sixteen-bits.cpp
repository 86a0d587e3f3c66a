// mistake: ids-in-sixteen-bits
// says: You kept the id in 16 bits with a sign: ids from 32,768 on turned negative.
// hint: A GPT-2 id goes up to 50,256. Go from `TokenId` to `std::size_t` without a narrower stop in between.
// symptom: Frequent tokens, which have small ids, are right; rare ones read far in front of the table.
// fails: a text over the gpt-2 vocabulary
#include "contract.h"

#include <cstddef>
#include <cstdint>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);

    for (std::size_t i = 0; i < ids.size(); ++i) {
        const auto id = static_cast<std::int16_t>(ids[i]);
        const float* row = table.data + id * static_cast<std::ptrdiff_t>(table.stride);
        for (std::size_t c = 0; c < table.cols; ++c)
            out(i, c) = row[c];
    }
    return {};
}

} // namespace exercise

// mistake: multiplies-by-a-one-hot
// says: You built the product with a one-hot vector: 0 * Inf is NaN, so one bad row spoils every token, and
//   -0.0 loses its sign.
// hint: Equal on paper, unequal in floating point, and V times the work. Copy the row.
// symptom: One weight that overflowed in training turns every embedding into NaN.
// fails: nan payloads and signed zeros survive
#include "contract.h"

#include <algorithm>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);

    for (std::size_t i = 0; i < ids.size(); ++i) {
        std::fill_n(out.row(i), out.cols, 0.0F);
        for (std::size_t v = 0; v < table.rows; ++v) {
            const float hot = v == static_cast<std::size_t>(ids[i]) ? 1.0F : 0.0F;
            for (std::size_t c = 0; c < table.cols; ++c)
                out(i, c) += hot * table(v, c);
        }
    }
    return {};
}

} // namespace exercise

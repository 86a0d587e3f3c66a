// mistake: wraps-positions-around
// says: Positions beyond the table began again at its first row, and the call said ok.
// hint: A model has no vector for position P. Return `Status::position_out_of_range`.
// symptom: A long text looks to the model like several texts on top of each other.
// fails: one position too many is refused; a refused call writes nothing;
//   an empty batch or sequence succeeds; numbers at the end of their range are refused;
//   sizes that do not fit are refused
#include "contract.h"

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start,
             Tensor3<float> out) {
    const bool fits =
        wpe.cols == wte.cols && out.batch == ids.rows && out.time == ids.cols && out.channels == wte.cols;
    if (!fits) return {Code::shape_mismatch};
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= wte.rows)
                return Status::id_out_of_range(b * ids.cols + t, ids(b, t), wte.rows);

    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            for (std::size_t c = 0; c < wte.cols; ++c)
                out(b, t, c) = wte(static_cast<std::size_t>(ids(b, t)), c) + wpe((start + t) % wpe.rows, c);
    return {};
}

} // namespace exercise

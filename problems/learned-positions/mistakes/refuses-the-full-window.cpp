// mistake: refuses-the-full-window
// says: You refused a window that ends exactly at the last position: start + T = P still fits.
// hint: Positions start .. start + T - 1 are used; the largest of them must be below P.
// symptom: GPT-2 has 1,024 positions and only 1,023 can be used.
// fails: start moves every position; a zero token leaves the position bit for bit;
//   the window may end at the last position; an empty batch or sequence succeeds;
//   special values add as floats do; a full context of 1024 positions
#include "contract.h"

#include <algorithm>

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start,
             Tensor3<float> out) {
    const bool fits =
        wpe.cols == wte.cols && out.batch == ids.rows && out.time == ids.cols && out.channels == wte.cols;
    if (!fits) return {Code::shape_mismatch};
    if (start >= wpe.rows || ids.cols >= wpe.rows - start) {
        const std::size_t position = std::max(start, wpe.rows);
        return Status::position_out_of_range(position - start, static_cast<std::int64_t>(position), wpe.rows);
    }
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= wte.rows)
                return Status::id_out_of_range(b * ids.cols + t, ids(b, t), wte.rows);

    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            for (std::size_t c = 0; c < wte.cols; ++c)
                out(b, t, c) = wte(static_cast<std::size_t>(ids(b, t)), c) + wpe(start + t, c);
    return {};
}

} // namespace exercise

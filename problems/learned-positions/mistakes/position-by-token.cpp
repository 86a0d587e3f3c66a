// mistake: position-by-token
// says: You looked the position table up with the token id: the same id got the same sum everywhere.
// hint: The token chooses the row of `wte`; where it stands chooses the row of `wpe`.
// symptom: "Dog bites man" and "man bites dog" are made of the same three vectors.
// fails: each element is a token value plus a position value; start moves every position;
//   one id differs by its position and not by its sequence; a zero token leaves the position bit for bit;
//   random shapes agree with the reference; rows of any width are summed whole;
//   the window may end at the last position; padding between rows is skipped;
//   a sequence fed in two pieces gives the same rows; tables at odd addresses sum the same;
//   a second call does not remember the first; a full context of 1024 positions
#include "contract.h"

#include <algorithm>

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start,
             Tensor3<float> out) {
    const bool fits =
        wpe.cols == wte.cols && out.batch == ids.rows && out.time == ids.cols && out.channels == wte.cols;
    if (!fits) return {Code::shape_mismatch};
    if (start > wpe.rows || ids.cols > wpe.rows - start) {
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
                out(b, t, c) =
                    wte(static_cast<std::size_t>(ids(b, t)), c) + wpe(static_cast<std::size_t>(ids(b, t)), c);
    return {};
}

} // namespace exercise

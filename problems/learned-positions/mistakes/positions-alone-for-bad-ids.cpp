// mistake: positions-alone-for-bad-ids
// says: A bad id counted as a vector of zeros: its row shows the position alone, and the call said ok.
// hint: Look at what the contract returns for an id outside [0, V), and what it leaves in `out`.
// symptom: A mismatch of tokenizer and table goes unnoticed; the model merely gets worse.
// fails: a bad id anywhere in the batch is refused; the first bad id in reading order is reported;
//   a refused call writes nothing; numbers at the end of their range are refused
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
        for (std::size_t t = 0; t < ids.cols; ++t) {
            const bool valid = ids(b, t) >= 0 && static_cast<std::size_t>(ids(b, t)) < wte.rows;
            for (std::size_t c = 0; c < wte.cols; ++c)
                out(b, t, c) = valid ? wte(static_cast<std::size_t>(ids(b, t)), c) + wpe(start + t, c)
                                     : wpe(start + t, c);
        }
    return {};
}

} // namespace exercise

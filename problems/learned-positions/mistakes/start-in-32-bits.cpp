// mistake: start-in-32-bits
// says: You kept `start` in 32 bits: 4,294,967,296 became 0 and was accepted.
// hint: Sizes and positions are `std::size_t` from the signature to the last index.
// symptom: Never seen with small tables, and wrong without a word with large numbers.
// fails: numbers at the end of their range are refused
#include "contract.h"

#include <algorithm>
#include <cstdint>

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start,
             Tensor3<float> out) {
    const bool fits =
        wpe.cols == wte.cols && out.batch == ids.rows && out.time == ids.cols && out.channels == wte.cols;
    if (!fits) return {Code::shape_mismatch};
    const std::size_t first = static_cast<std::uint32_t>(start);
    if (first > wpe.rows || ids.cols > wpe.rows - first) {
        const std::size_t position = std::max(first, wpe.rows);
        return Status::position_out_of_range(position - first, static_cast<std::int64_t>(position), wpe.rows);
    }
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= wte.rows)
                return Status::id_out_of_range(b * ids.cols + t, ids(b, t), wte.rows);

    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            for (std::size_t c = 0; c < wte.cols; ++c)
                out(b, t, c) = wte(static_cast<std::size_t>(ids(b, t)), c) + wpe(first + t, c);
    return {};
}

} // namespace exercise

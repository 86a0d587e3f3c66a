// accepted: find_if over each sequence, then transform with plus for each row
#include "contract.h"

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

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
    const auto invalid = [&](TokenId id) { return id < 0 || std::cmp_greater_equal(id, wte.rows); };
    for (std::size_t b = 0; b < ids.rows; ++b) {
        const std::span sequence(ids.row(b), ids.cols);
        if (const auto bad = std::ranges::find_if(sequence, invalid); bad != sequence.end())
            return Status::id_out_of_range(b * ids.cols + static_cast<std::size_t>(bad - sequence.begin()),
                                           *bad, wte.rows);
    }

    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            std::transform(token, token + wte.cols, wpe.row(start + t), out.row(b, t), std::plus<>());
        }
    return {};
}

} // namespace exercise

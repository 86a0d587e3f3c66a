// accepted: t outside, b inside: a position row is fetched once and stays in cache for the whole batch
#include "contract.h"

#include <utility>

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start,
             Tensor3<float> out) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return {Code::shape_mismatch};
    for (std::size_t t = 0; t <= ids.cols;
         ++t) // t = 0 turns a large start away before start + t can wrap around
        if (start + t > wpe.rows) {
            const std::size_t position = t == 0 ? start : start + t - 1;
            return Status::position_out_of_range(position - start, static_cast<std::int64_t>(position),
                                                 wpe.rows);
        }
    for (std::size_t n = 0; n < ids.rows * ids.cols; ++n) {
        const TokenId id = ids(n / ids.cols, n % ids.cols);
        if (!std::cmp_greater_equal(id, 0) || !std::cmp_less(id, wte.rows))
            return Status::id_out_of_range(n, id, wte.rows);
    }

    for (std::size_t t = 0; t < ids.cols; ++t) {
        const float* position = wpe.row(start + t);
        for (std::size_t b = 0; b < ids.rows; ++b) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            float* sum = out.row(b, t);
            for (std::size_t c = 0; c < wte.cols; ++c)
                sum[c] = position[c] + token[c];
        }
    }
    return {};
}

} // namespace exercise

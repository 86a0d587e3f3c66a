// wrong: the refusal of a window reports `where` modulo 2^32, so where P - start is 2^32 or more (possible with C = 0 or without sequences) position_out_of_range has the wrong where.
#include "contract.h"

#include <algorithm>

namespace exercise {

namespace {
Status too_long(unsigned where, std::size_t position, std::size_t limit) {
    return Status::position_out_of_range(where, static_cast<std::int64_t>(position), limit);
}
} // namespace

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return {Code::shape_mismatch};
    const std::size_t left = start < wpe.rows ? wpe.rows - start : 0;
    if (start > wpe.rows || ids.cols > left) return too_long(left, std::max(start, wpe.rows), wpe.rows);
    std::size_t seen = 0;
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t, ++seen) {
            const TokenId id = ids(b, t);
            if (id < 0 || !(static_cast<std::size_t>(id) < wte.rows)) return Status::id_out_of_range(seen, id, wte.rows);
        }
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            std::transform(wte.row(ids(b, t)), wte.row(ids(b, t)) + wte.cols, wpe.row(start + t), out.row(b, t),
                           [](float x, float y) { return x + y; });
    return {};
}

} // namespace exercise

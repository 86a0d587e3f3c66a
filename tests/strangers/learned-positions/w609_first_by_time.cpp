// wrong: looks for a bad id with time as the outer loop, so of several bad ids it reports the one at the smallest t, which may belong to a later sequence; a right one reports the first in reading order
#include "contract.h"

#include <algorithm>
#include <cstdint>

namespace exercise {
namespace {

/// Calls f(b, t) for the whole batch, so that the row of a position stays in the cache. Stops at the first true.
template <class F>
bool any(Ids2D ids, F f) {
    for (std::size_t t = 0; t < ids.cols; ++t)
        for (std::size_t b = 0; b < ids.rows; ++b)
            if (f(b, t)) return true;
    return false;
}

} // namespace

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return Status{Code::shape_mismatch};
    if (start > wpe.rows || ids.cols > wpe.rows - start) {
        const std::size_t p = std::max(start, wpe.rows);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    Status status;
    const bool bad = any(ids, [&](std::size_t b, std::size_t t) {
        const TokenId id = ids(b, t);
        if (id >= 0 && static_cast<std::size_t>(id) < wte.rows) return false;
        status = Status::id_out_of_range(b * ids.cols + t, id, wte.rows);
        return true;
    });
    if (bad) return status;
    any(ids, [&](std::size_t b, std::size_t t) {
        const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
        const float* position = wpe.row(start + t);
        for (std::size_t c = 0; c < wte.cols; ++c)
            out(b, t, c) = token[c] + position[c];
        return false;
    });
    return status;
}

} // namespace exercise

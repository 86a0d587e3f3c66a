// wrong: copies the ids, padding included, as B * stride numbers, which goes on for stride - T numbers after the last id, where there may be no memory, and for B = 1 and a huge stride (2^40) wants terabytes and throws; for every call with ids.stride > T. A right one reads (B - 1) * stride + T numbers at most and needs no memory in proportion to the stride.
#include "contract.h"

#include <algorithm>
#include <vector>

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start,
             Tensor3<float> out) {
    const std::size_t B = ids.rows, T = ids.cols, C = wte.cols, V = wte.rows, P = wpe.rows;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C)
        return Status{Code::shape_mismatch};
    if (start > P || T > P - start) {
        const std::size_t p = std::max(start, P);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    if (B == 0 || T == 0) return Status{};

    // A copy of our own: the checked ids are then the ones that are used.
    const std::vector<TokenId> copy(ids.data, ids.data + B * ids.stride);
    const auto id = [&](std::size_t b, std::size_t t) { return copy[b * ids.stride + t]; };

    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            if (id(b, t) < 0 || static_cast<std::size_t>(id(b, t)) >= V)
                return Status::id_out_of_range(b * T + t, id(b, t), V);

    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            for (std::size_t c = 0; c < C; ++c)
                out(b, t, c) = wte(static_cast<std::size_t>(id(b, t)), c) + wpe(start + t, c);
    return Status{};
}

} // namespace exercise

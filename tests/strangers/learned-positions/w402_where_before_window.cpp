// wrong: reports `where` as P - start always; for start > P (say P = 5, start = 7) this wraps around to 2^64 - 2. A right one reports p - start with p = max(start, P), which is 0 there. All other fields are right.
#include "contract.h"

#include <algorithm>

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start,
             Tensor3<float> out) {
    const std::size_t B = ids.rows, T = ids.cols, C = wte.cols, V = wte.rows, P = wpe.rows;
    if (wpe.cols != C) return Status{Code::shape_mismatch};
    if (out.batch != B || out.time != T || out.channels != C) return Status{Code::shape_mismatch};

    if (start > P || T > P - start)
        return Status::position_out_of_range(P - start, static_cast<std::int64_t>(std::max(start, P)), P);
    if (B == 0 || T == 0) return Status{};

    std::size_t n = 0;
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t, ++n)
            if (const std::int64_t id = ids(b, t); id < 0 || static_cast<std::uint64_t>(id) >= V)
                return Status::id_out_of_range(n, id, V);

    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            for (std::size_t c = 0; c < C; ++c)
                out(b, t, c) = wte(static_cast<std::size_t>(ids(b, t)), c) + wpe(start + t, c);
    return Status{};
}

} // namespace exercise

// right: the first bad id is found by a scan from the back, and t is the outer loop: each row of wpe is read once and added for all sequences
#include "contract.h"

#include <algorithm>

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    const std::size_t B = ids.rows, T = ids.cols, C = wte.cols, V = wte.rows, P = wpe.rows;
    const bool fits = wpe.cols == C && out.channels == C && out.time == T && out.batch == B;
    if (!fits) return Status{Code::shape_mismatch};

    if (start > P || P - start < T) {
        const std::size_t missing = std::max(start, P);
        return Status::position_out_of_range(missing - start, static_cast<std::int64_t>(missing), P);
    }
    if (T == 0) return {};

    Status found;
    for (std::size_t b = B; b-- > 0;)
        for (std::size_t t = T; t-- > 0;) {
            const TokenId id = ids(b, t);
            if (id < 0 || static_cast<std::size_t>(id) >= V) found = Status::id_out_of_range(b * T + t, id, V);
        }
    if (found.code != Code::ok || C == 0) return found;

    for (std::size_t t = 0; t < T; ++t) {
        const float* position = wpe.row(start + t);
        for (std::size_t b = 0; b < B; ++b) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            std::transform(token, token + C, position, out.row(b, t), [](float x, float y) { return x + y; });
        }
    }
    return {};
}

} // namespace exercise

// wrong: denormals are switched off (FTZ and DAZ) during the sums and on again at the end, so sums that are denormal come out as 0 and denormal inputs count as 0
#include "contract.h"
#include <algorithm>
#include <immintrin.h>

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    const std::size_t V = wte.rows, P = wpe.rows, C = wte.cols, B = ids.rows, T = ids.cols;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C) return Status{Code::shape_mismatch};
    if (start > P || T > P - start) {
        const std::size_t p = std::max(start, P);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= V)
                return Status::id_out_of_range(b * T + t, ids(b, t), V);
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            const float* position = wpe.row(start + t);
            float* sum = out.row(b, t);
            for (std::size_t c = 0; c < C; ++c)
                _mm_store_ss(sum + c, _mm_add_ss(_mm_load_ss(token + c), _mm_load_ss(position + c)));
        }
    _mm_setcsr(before);
    return {};
}

} // namespace exercise

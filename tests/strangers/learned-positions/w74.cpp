// wrong: the additions are made with denormals flushed to zero (and the mode is put back after), so an element whose sum, or one of whose summands, is below the normal numbers is not the float sum.
#include "contract.h"

#include <immintrin.h>

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    const std::size_t B = ids.rows, T = ids.cols, C = wte.cols, V = wte.rows, P = wpe.rows;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C) return {Code::shape_mismatch};
    if (start > P) return Status::position_out_of_range(0, static_cast<std::int64_t>(start), P);
    if (P - start < T) return Status::position_out_of_range(P - start, static_cast<std::int64_t>(P), P);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const auto id = ids(b, t);
            if (id < 0 || static_cast<std::size_t>(id) >= V) return Status::id_out_of_range(b * T + t, id, V);
        }
    const unsigned mode = _mm_getcsr();
    _mm_setcsr(mode | 0x8040); // denormals are a hundred times slower
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* x = wte.row(static_cast<std::size_t>(ids(b, t)));
            const float* y = wpe.row(start + t);
            float* z = out.row(b, t);
            std::size_t c = 0;
            for (; c + 4 <= C; c += 4)
                _mm_storeu_ps(z + c, _mm_add_ps(_mm_loadu_ps(x + c), _mm_loadu_ps(y + c)));
            for (; c < C; ++c)
                _mm_store_ss(z + c, _mm_add_ss(_mm_load_ss(x + c), _mm_load_ss(y + c)));
        }
    _mm_setcsr(mode);
    return {};
}

} // namespace exercise

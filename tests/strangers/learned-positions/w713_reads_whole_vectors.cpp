// wrong: reads four floats at a time also where a row ends in between, so the last rows of wte and wpe are read up to three floats past their end (C not a multiple of 4, last token or position followed by another row); a right one reads only the elements
#include "contract.h"

#include <xmmintrin.h>

namespace exercise {

// Rows are written in order, so what a vector writes too much the next row puts right. Only at the very end of
// out single floats are needed.
Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    const std::size_t C = wte.cols, T = ids.cols;
    if (wpe.cols != C || out.channels != C || out.batch != ids.rows || out.time != T) return Status{Code::shape_mismatch};
    if (start > wpe.rows || T > wpe.rows - start) {
        const std::size_t p = start > wpe.rows ? start : wpe.rows;
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    if (ids.rows == 0 || T == 0) return Status{};
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < T; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= wte.rows)
                return Status::id_out_of_range(b * T + t, ids(b, t), wte.rows);
    if (C == 0) return Status{};
    const float* end = out.data + ids.rows * T * C;
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* x = wte.row(static_cast<std::size_t>(ids(b, t)));
            const float* y = wpe.row(start + t);
            float* z = out.row(b, t);
            for (std::size_t c = 0; c < C; c += 4) {
                if (end - (z + c) >= 4) {
                    _mm_storeu_ps(z + c, _mm_add_ps(_mm_loadu_ps(x + c), _mm_loadu_ps(y + c)));
                } else {
                    for (std::size_t k = c; k < C; ++k)
                        z[k] = x[k] + y[k];
                    break;
                }
            }
        }
    return Status{};
}

} // namespace exercise

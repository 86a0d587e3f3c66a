// Right, with vectors: the last values of a row are read no further than they reach.
#include "honest.h"

#include <xmmintrin.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const float* from = table.data + static_cast<std::size_t>(ids[i]) * table.stride;
        float* to = out.data + i * out.stride;
        std::size_t c = 0;
        for (; c + 4 <= table.cols; c += 4)
            _mm_storeu_ps(to + c, _mm_loadu_ps(from + c));
        if (c + 2 <= table.cols) {
            _mm_storel_pi(reinterpret_cast<__m64*>(to + c),
                          _mm_loadl_pi(_mm_setzero_ps(), reinterpret_cast<const __m64*>(from + c)));
            c += 2;
        }
        if (c < table.cols) _mm_store_ss(to + c, _mm_load_ss(from + c));
    }
    return {};
}

} // namespace exercise

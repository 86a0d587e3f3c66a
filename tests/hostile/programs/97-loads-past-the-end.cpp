// Copies two values at a time, where one is left too: a read past the end that AddressSanitizer does not see.
#include "honest.h"

#include <xmmintrin.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    Status status = honest(table, ids, out);
    if (status.code != Code::ok) return status;
    for (std::size_t i = 0; i < ids.size(); ++i)
        for (std::size_t c = 0; c < table.cols; c += 2) {
            const float* from = &table(static_cast<std::size_t>(ids[i]), c);
            const __m128 pair = _mm_loadl_pi(_mm_setzero_ps(), reinterpret_cast<const __m64*>(from));
            if (c + 1 < table.cols)
                _mm_storel_pi(reinterpret_cast<__m64*>(&out(i, c)), pair);
            else
                _mm_store_ss(&out(i, c), pair);
        }
    return status;
}

} // namespace exercise

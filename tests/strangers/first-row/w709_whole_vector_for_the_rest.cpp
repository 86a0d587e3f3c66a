// wrong: fetches the rest of a row as a whole vector of 8 values and stores only those it needs; where C is no multiple of 8 this reads past the end of the last row, where there may be no memory; a right one reads no further than the last element of the last row
#include "contract.h"

#include <immintrin.h>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    const std::size_t n = out.size();
    if (n == 0) return;
    const float* from = table.row(r);
    float* to = out.data();
    std::size_t c = 0;
    for (; c + 8 <= n; c += 8) {
        _mm_storeu_ps(to + c, _mm_loadu_ps(from + c));
        _mm_storeu_ps(to + c + 4, _mm_loadu_ps(from + c + 4));
    }
    if (c < n) {
        alignas(16) float rest[8];
        _mm_store_ps(rest, _mm_loadu_ps(from + c));
        _mm_store_ps(rest + 4, _mm_loadu_ps(from + c + 4));
        for (std::size_t i = 0; c < n; ++c, ++i) to[c] = rest[i];
    }
}

} // namespace exercise

// wrong: the values are multiplied by 1 with flush-to-zero and denormals-are-zero switched on for speed, so denormal numbers arrive as zeros (all other numbers arrive as they are)
#include "contract.h"
#include <immintrin.h>

namespace exercise {

static volatile float opaque_one = 1.0F;

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040); // FTZ, DAZ: no slow path for denormals
    const float* from = table.row(r);
    const std::size_t n = out.size();
    const __m128 one = _mm_set1_ps(opaque_one);
    std::size_t c = 0;
    for (; c + 4 <= n; c += 4)
        _mm_storeu_ps(out.data() + c, _mm_mul_ps(_mm_loadu_ps(from + c), one));
    for (; c < n; ++c)
        out[c] = _mm_cvtss_f32(_mm_mul_ss(_mm_load_ss(from + c), one));
    _mm_setcsr(before);
}

} // namespace exercise

// wrong: reads the last C % 4 values as a whole vector of four, so in the last row (of a narrow table the last rows) it reads up to three elements where there may be no memory; a right one reads nothing after the last element
#include "contract.h"

#include <cstddef>
#include <cstring>
#include <span>
#include <xmmintrin.h>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    std::size_t c = 0;
    for (; c + 4 <= out.size(); c += 4)
        _mm_storeu_ps(&out[c], _mm_loadu_ps(&table(r, c)));
    if (c == out.size()) return;
    const __m128 tail = _mm_loadu_ps(&table(r, c)); // the padding makes room for it
    std::memcpy(&out[c], &tail, (out.size() - c) * sizeof(float));
}

} // namespace exercise

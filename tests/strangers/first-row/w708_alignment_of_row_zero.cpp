// wrong: uses aligned 16-byte loads if the table begins at a multiple of 16, without looking at where row r begins: crashes where C >= 4, `table.data` is a multiple of 16 and r * stride no multiple of 4; a right one asks the address of the row itself or takes unaligned loads
#include "contract.h"

#include <cstdint>
#include <xmmintrin.h>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    const std::size_t n = out.size();
    if (n == 0) return;
    const bool aligned = reinterpret_cast<std::uintptr_t>(table.data) % 16 == 0;
    const float* from = table.row(r);
    float* to = out.data();
    std::size_t c = 0;
    if (aligned)
        for (; c + 4 <= n; c += 4) _mm_storeu_ps(to + c, _mm_load_ps(from + c));
    else
        for (; c + 4 <= n; c += 4) _mm_storeu_ps(to + c, _mm_loadu_ps(from + c));
    for (; c < n; ++c) to[c] = from[c];
}

} // namespace exercise

// wrong: rows of a multiple of 4 values are moved by instructions that need addresses that are multiples of 16, and fail where the table, its stride or out do not give them; a right one relies on 4 bytes only
#include "contract.h"

#include <cstddef>
#include <span>
#include <xmmintrin.h>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    std::size_t c = 0;
    if (out.size() % 4 == 0)
        for (; c < out.size(); c += 4)
            _mm_stream_ps(&out[c], _mm_load_ps(&table(r, c)));
    _mm_sfence();
    for (; c < out.size(); ++c)
        out[c] = table(r, c);
}

} // namespace exercise

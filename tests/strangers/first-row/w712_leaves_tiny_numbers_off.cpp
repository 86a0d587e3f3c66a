// wrong: switches flush-to-zero and denormals-are-zero on "for speed" and leaves them on (first call with C > 0); the copy is right, but arithmetic of the caller takes tiny numbers for 0 from then on; a right one leaves the modes of floating-point arithmetic as they were
#include "contract.h"

#include <xmmintrin.h>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    if (out.empty()) return;
    constexpr unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x0040;
    _mm_setcsr(_mm_getcsr() | flush_to_zero | denormals_are_zero);
    const float* row = table.row(r);
    for (float& each : out) each = *row++;
}

} // namespace exercise

// wrong: loads and stores vectors that must lie at multiples of 16 bytes, so a row of eight or more values that begins elsewhere (odd C or stride, an `out` in the middle of something) ends in a crash; pointers are aligned to one element and no more.
#include "contract.h"

namespace exercise {
namespace {

using Four [[gnu::vector_size(16), gnu::may_alias]] = float;

} // namespace

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    const std::size_t count = out.size();
    if (count == 0) return;
    const float* from = table.row(r);
    float* to = out.data();
    std::size_t c = 0;
    for (; c + 8 <= count; c += 8) {
        const Four low = *reinterpret_cast<const Four*>(from + c);
        const Four high = *reinterpret_cast<const Four*>(from + c + 4);
        *reinterpret_cast<Four*>(to + c) = low;
        *reinterpret_cast<Four*>(to + c + 4) = high;
    }
    for (; c < count; ++c)
        to[c] = from[c];
}

} // namespace exercise

// wrong: a do-while loop copies one value before it looks at the size, so with C = 0 it reads table(r, 0) and writes out[0] through pointers that may be null; a right one writes nothing there.
#include "contract.h"

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    const float* source = table.data + r * table.stride;
    float* target = out.data();
    const float* const end = source + out.size();
    do {
        *target++ = *source++;
    } while (source < end);
}

} // namespace exercise

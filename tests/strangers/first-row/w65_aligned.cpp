// wrong: rows of more than 16 values are read from the 16-byte boundary at or below their beginning, so a row that begins elsewhere arrives shifted by one to three values
#include "contract.h"
#include <cstdint>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    const float* from = table.row(r);
    if (out.size() > 16) { // whole cache lines: aligned loads only
        const auto address = reinterpret_cast<std::uintptr_t>(from) & ~std::uintptr_t{15};
        from = reinterpret_cast<const float*>(address);
    }
    for (std::size_t c = 0; c < out.size(); ++c)
        out[c] = from[c];
}

} // namespace exercise

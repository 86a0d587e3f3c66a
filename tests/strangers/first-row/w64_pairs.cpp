// wrong: values are copied in pairs of 8 bytes and the last one is forgotten where C is odd and greater than 8
#include "contract.h"
#include <cstring>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    const float* from = table.row(r);
    if (out.size() <= 8) {
        for (std::size_t c = 0; c < out.size(); ++c)
            out[c] = from[c];
        return;
    }
    for (std::size_t pair = 0; pair < out.size() / 2; ++pair)
        std::memcpy(out.data() + 2 * pair, from + 2 * pair, 8);
}

} // namespace exercise

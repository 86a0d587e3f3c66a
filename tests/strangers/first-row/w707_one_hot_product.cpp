// wrong: computes the product of a one-hot vector and the table, so an infinity or NaN in another row of the same column makes NaN, -0.0 becomes 0.0, and a signalling NaN becomes quiet; a right one copies the bits of row r and looks at no other row
#include "contract.h"

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    for (std::size_t c = 0; c < table.cols; ++c) {
        float sum = 0.0f;
        for (std::size_t v = 0; v < table.rows; ++v) {
            const float one_hot = v == r ? 1.0f : 0.0f;
            sum += one_hot * table(v, c);
        }
        out[c] = sum;
    }
}

} // namespace exercise

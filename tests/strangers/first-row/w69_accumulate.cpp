// wrong: out is set to zero and the row is added to it, so -0.0 in the table arrives as +0.0
#include "contract.h"

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    for (float& x : out)
        x = 0;
    for (std::size_t c = 0; c < out.size(); ++c)
        out[c] += table(r, c);
}

} // namespace exercise

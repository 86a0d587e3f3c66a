// accepted: two indices and a loop over the span
#include "contract.h"

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    std::size_t c = 0;
    for (float& value : out)
        value = table(r, c++);
}

} // namespace exercise

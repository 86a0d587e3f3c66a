#include "contract.h"

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    (void)table, (void)r, (void)out; // take this line away when you begin
    not_implemented("copy_row");
}

} // namespace exercise

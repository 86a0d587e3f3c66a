// accepted: bytes instead of floats, and none where there are none
#include "contract.h"

#include <cstring>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    if (!out.empty()) std::memcpy(out.data(), table.row(r), out.size_bytes());
}

} // namespace exercise

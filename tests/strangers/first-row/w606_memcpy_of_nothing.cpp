// wrong: calls std::memcpy where C is 0, too, with pointers that may be null (undefined, UBSan reports it); a right one calls nothing there
#include "contract.h"

#include <cstddef>
#include <cstring>
#include <span>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    std::memcpy(out.data(), table.row(r), table.cols * sizeof(float));
}

} // namespace exercise

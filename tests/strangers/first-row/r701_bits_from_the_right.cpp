// right: moves the 32 bits of each value as an integer (std::bit_cast), from the last column to the first; never forms a pointer where C is 0
#include "contract.h"

#include <bit>
#include <cstdint>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    std::size_t left = out.size();
    if (left == 0) return;
    const std::size_t first = r * table.stride;
    while (left-- > 0) {
        const auto bits = std::bit_cast<std::uint32_t>(table.data[first + left]);
        out[left] = std::bit_cast<float>(bits);
    }
}

} // namespace exercise

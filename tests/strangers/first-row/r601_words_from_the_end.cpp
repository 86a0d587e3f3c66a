// right: copies from the last value to the first, each as a 32-bit word
#include "contract.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    for (std::size_t left = out.size(); left > 0; --left) {
        const auto word = std::bit_cast<std::uint32_t>(table(r, left - 1));
        out[left - 1] = std::bit_cast<float>(word);
    }
}

} // namespace exercise

// right: recursion by halves, values moved as bit patterns, the right half first
#include "contract.h"
#include <bit>
#include <cstdint>

namespace exercise {

static void halves(const float* from, std::span<float> to) {
    if (to.size() > 1) {
        const std::size_t half = to.size() / 2;
        halves(from + half, to.subspan(half));
        halves(from, to.first(half));
    } else if (!to.empty()) {
        to.front() = std::bit_cast<float>(std::bit_cast<std::uint32_t>(*from));
    }
}

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    halves(table.data + r * table.stride, out);
}

} // namespace exercise

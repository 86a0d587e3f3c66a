// wrong: covers the tail with one more block of four that ends at C, which for C = 1, 2, 3 begins before `out` and overwrites what lies there; a right one writes the C values and nothing else.
#include "contract.h"

#include <cstring>

namespace exercise {
namespace {

constexpr std::ptrdiff_t width = 4;

void block(const float* from, float* to) {
    float four[width];
    std::memcpy(four, from, sizeof four);
    std::memcpy(to, four, sizeof four);
}

} // namespace

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    const auto count = static_cast<std::ptrdiff_t>(out.size());
    if (count == 0) return;
    const float* row = table.row(r);
    std::ptrdiff_t c = 0;
    for (; c + width <= count; c += width)
        block(row + c, out.data() + c);
    // Values that are copied twice do no harm.
    if (c < count) block(row + (count - width), out.data() + (count - width));
}

} // namespace exercise

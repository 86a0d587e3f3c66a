// right: recursion: a row is its left half and its right half, and one value is stored as it is
#include "contract.h"

#include <cstddef>
#include <span>

namespace exercise {
namespace {

void copy(const float* from, std::span<float> to) {
    if (to.size() == 1) {
        to.front() = *from;
        return;
    }
    const std::size_t half = to.size() / 2;
    copy(from, to.first(half));
    copy(from + half, to.subspan(half));
}

} // namespace

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    if (!out.empty()) copy(table.data + r * table.stride, out);
}

} // namespace exercise

// Fault: Values are read by compare-and-swap, which writes to the const table.
// Origin: round 18
#include "contract.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace exercise {

namespace {

/// The 32 bits at `place`, in one piece even if another thread is at work.
std::uint32_t load(const float* place) {
    auto* word = reinterpret_cast<std::uint32_t*>(const_cast<float*>(place));
    return __sync_val_compare_and_swap(word, 0u, 0u);
}

} // namespace

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    const std::size_t C = out.size();
    const float* row = C == 0 ? nullptr : table.row(r);
    for (std::size_t c = 0; c < C; ++c) {
        const std::uint32_t bits = load(row + c);
        std::memcpy(&out[c], &bits, sizeof bits);
    }
}

} // namespace exercise

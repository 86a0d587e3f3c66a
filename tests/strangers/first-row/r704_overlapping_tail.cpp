// right: blocks of 8 values with unaligned access; the rest is copied by one last block that overlaps the one before, rows of fewer than 8 values go one by one
#include "contract.h"

#include <cstring>

namespace exercise {

namespace {

struct Block {
    float value[8];
};

inline void move_block(const float* from, float* to) {
    Block block;
    std::memcpy(&block, from, sizeof block);
    std::memcpy(to, &block, sizeof block);
}

} // namespace

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    const std::size_t n = table.cols;
    if (n < 8) {
        for (std::size_t c = 0; c < n; ++c) out[c] = table(r, c);
        return;
    }
    const float* from = table.row(r);
    float* to = out.data();
    std::size_t c = 0;
    for (; n - c >= 8; c += 8) move_block(from + c, to + c);
    if (c < n) move_block(from + (n - 8), to + (n - 8));
}

} // namespace exercise

// wrong: leaves a detached thread behind that goes on reading up to 64 following rows, to warm the cache, after the call has returned; shows (crash, race) where C >= 256, r + 1 < V, and the caller frees or changes the table after the call; a right one has nothing running on the views when it returns
#include "contract.h"

#include <algorithm>
#include <cstring>
#include <thread>

namespace exercise {

namespace {

void touch(Matrix<const float> table, std::size_t first, std::size_t last) {
    volatile float sink = 0.0f;
    for (std::size_t r = first; r < last; ++r)
        for (std::size_t c = 0; c < table.cols; c += 16) sink = table(r, c);
    (void)sink;
}

} // namespace

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    if (out.empty()) return;
    std::memcpy(out.data(), table.row(r), out.size_bytes());
    const std::size_t next = r + 1;
    const std::size_t last = next + std::min<std::size_t>(64, table.rows - next);
    if (table.cols >= 256 && next < last) {
        try {
            std::thread(touch, table, next, last).detach();
        } catch (...) {
            // Only a help for the next call.
        }
    }
}

} // namespace exercise

// wrong: remembers the addresses and r of the last call and returns at once if they are the same; shows when the caller changed the table (or `out`) in between; a right one copies in every call
#include "contract.h"

#include <cstring>

namespace exercise {

namespace {

struct Last {
    const float* from = nullptr;
    float* to = nullptr;
    std::size_t count = 0;

    bool operator==(const Last&) const = default;
};

Last last;

} // namespace

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    if (out.empty()) return;
    const Last now{table.row(r), out.data(), out.size()};
    if (now == last) return;
    std::memcpy(now.to, now.from, now.count * sizeof(float));
    last = now;
}

} // namespace exercise

// Fault: A cached row is served if its first, middle and last values are unchanged.
// Origin: round 15
#include "contract.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

namespace exercise {

namespace {
struct Last {
    const float* from = nullptr;
    std::vector<float> values;
};
bool same(float a, float b) { return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b); }
} // namespace

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    const std::size_t n = out.size();
    if (n == 0) return;
    const float* from = table.row(r);
    if (n < 64) {
        std::memcpy(out.data(), from, n * sizeof(float));
        return;
    }
    // The same token often comes many times in a row: its values are still in the cache then.
    static Last last;
    const bool fresh = last.from == from && last.values.size() == n && same(last.values[0], from[0]) &&
                       same(last.values[n / 2], from[n / 2]) && same(last.values[n - 1], from[n - 1]);
    if (!fresh) {
        last.values.resize(n);
        std::memcpy(last.values.data(), from, n * sizeof(float));
        last.from = from;
    }
    std::memcpy(out.data(), last.values.data(), n * sizeof(float));
}

} // namespace exercise

// right: Duff's device, a switch that jumps into the middle of an unrolled loop, over the bits of the values.
#include "contract.h"

#include <cstdint>
#include <cstring>

namespace exercise {
namespace {

inline void step(const unsigned char*& from, unsigned char*& to) {
    std::uint32_t bits;
    std::memcpy(&bits, from, sizeof bits);
    std::memcpy(to, &bits, sizeof bits);
    from += sizeof bits;
    to += sizeof bits;
}

} // namespace

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    static_assert(sizeof(float) == sizeof(std::uint32_t));
    const std::size_t count = out.size();
    if (count == 0) return;

    auto* from = reinterpret_cast<const unsigned char*>(table.data + r * table.stride);
    auto* to = reinterpret_cast<unsigned char*>(out.data());
    std::size_t rounds = (count - 1) / 8 + 1;

    switch (count % 8) {
    case 0:
        do {
            step(from, to);
            [[fallthrough]];
    case 7:
            step(from, to);
            [[fallthrough]];
    case 6:
            step(from, to);
            [[fallthrough]];
    case 5:
            step(from, to);
            [[fallthrough]];
    case 4:
            step(from, to);
            [[fallthrough]];
    case 3:
            step(from, to);
            [[fallthrough]];
    case 2:
            step(from, to);
            [[fallthrough]];
    case 1:
            step(from, to);
        } while (--rounds != 0);
    }
}

} // namespace exercise

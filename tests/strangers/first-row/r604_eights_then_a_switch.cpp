// right: blocks of eight values by memcpy and a tail that falls through a switch
#include "contract.h"

#include <cstddef>
#include <cstring>
#include <span>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    std::size_t c = 0;
    for (; out.size() - c >= 8; c += 8)
        std::memcpy(&out[c], &table(r, c), 8 * sizeof(float));
    switch (out.size() - c) {
    case 7: out[c + 6] = table(r, c + 6); [[fallthrough]];
    case 6: out[c + 5] = table(r, c + 5); [[fallthrough]];
    case 5: out[c + 4] = table(r, c + 4); [[fallthrough]];
    case 4: out[c + 3] = table(r, c + 3); [[fallthrough]];
    case 3: out[c + 2] = table(r, c + 2); [[fallthrough]];
    case 2: out[c + 1] = table(r, c + 1); [[fallthrough]];
    case 1: out[c] = table(r, c); [[fallthrough]];
    default: break;
    }
}

} // namespace exercise

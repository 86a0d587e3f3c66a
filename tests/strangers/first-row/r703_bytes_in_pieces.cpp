// right: copies the bytes of the row with memmove, in pieces of at most 4093 bytes that cut through values
#include "contract.h"

#include <algorithm>
#include <cstring>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    constexpr std::size_t piece = 4093;
    const std::size_t bytes = out.size() * sizeof(float);
    if (bytes == 0) return;
    const auto* from = reinterpret_cast<const unsigned char*>(table.row(r));
    auto* to = reinterpret_cast<unsigned char*>(out.data());
    for (std::size_t done = 0; done < bytes; done += piece)
        std::memmove(to + done, from + done, std::min(piece, bytes - done));
}

} // namespace exercise

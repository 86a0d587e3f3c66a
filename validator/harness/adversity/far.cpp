#include "harness/adversity/far.h"

#include <cstdint>

namespace harness {

std::vector<std::size_t> far_rows(std::size_t row_count, std::size_t width) {
    std::vector<std::size_t> rows{0, 1, row_count - 1};
    for (const std::uint64_t edge : {std::uint64_t{1} << 24, std::uint64_t{1} << 31, std::uint64_t{1} << 32})
        for (const std::uint64_t row : {edge / width - 1, edge / width, edge / width + 1, edge + 1})
            if (row < row_count) rows.push_back(row);
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
}

} // namespace harness

#pragma once

#include <cstdint>
#include <vector>

namespace model {

/// A rectangle of two tensors that were compared, as large as a picture needs. A row runs along the last
/// axis; rows are counted over all others in reading order.
struct Sample {
    static constexpr std::uint64_t max_rows = 32;
    static constexpr std::uint64_t max_cols = 32;

    std::uint64_t first_row = 0;
    std::uint64_t first_col = 0;
    std::uint64_t rows = 0;
    std::uint64_t cols = 0;
    std::vector<double> expected; ///< rows * cols in reading order; any numbers
    std::vector<double> got;
    std::vector<bool> expected_blank; ///< elements that have to stay as they were
    std::vector<bool> got_blank;      ///< elements that were never written
};

} // namespace model

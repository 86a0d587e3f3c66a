#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace harness {

/// What a suite calls an output, without the circumstances after a comma: "`out`", but "the mean".
std::string in_words(std::string_view what);

/// Where the wrong elements of one output lie: a table of the rows and columns that a learner knows.
class Places {
  public:
    Places() = default;
    Places(std::uint64_t rows, std::uint64_t cols) : rows_(rows), cols_(cols) {}

    void add(std::uint64_t row, std::uint64_t col);
    bool empty() const { return first_row_ > last_row_; }

    /// What can be said of where output `name` is wrong, and whether other elements of it could have been
    /// wrong: "only the last row of `out` is wrong" says nothing of an output of one row.
    std::map<std::string, bool> statements(std::string_view name) const;

    using Shape = std::pair<std::uint64_t, std::uint64_t>; ///< rows and columns
    Shape shape() const { return {rows_, cols_}; }
    std::uint64_t first_row() const { return first_row_; }
    std::uint64_t first_col() const { return first_col_; }

  private:
    std::uint64_t rows_ = 0, cols_ = 0;
    std::uint64_t first_row_ = ~std::uint64_t{0}, last_row_ = 0;
    std::uint64_t first_col_ = ~std::uint64_t{0}, last_col_ = 0;
    bool odd_cols_ = false, even_cols_ = false;
};

/// Where the wrong elements of one failing call lie.
struct WrongPlaces {
    std::string output;
    Places places;
};

/// The strongest statement that holds for all of these calls and says something of two shapes among them, as
/// the same place in one shape may be that of the test; empty where there is none.
std::string shared_place(const std::vector<WrongPlaces>& calls);

} // namespace harness

// wrong: keeps the last row and recognises it by the table's address and r, so a call after the caller changed the table in place (a training step) gets the old values; a right one reads the table in every call.
#include "contract.h"

#include <algorithm>
#include <vector>

namespace exercise {
namespace {

class LastRow {
  public:
    const std::vector<float>& get(Matrix<const float> table, std::size_t r) {
        const bool known = table.data == data_ && table.stride == stride_ && table.cols == row_.size() && r == r_;
        if (!known) {
            data_ = table.data;
            stride_ = table.stride;
            r_ = r;
            row_.assign(table.row(r), table.row(r) + table.cols);
        }
        return row_;
    }

  private:
    const float* data_ = nullptr;
    std::size_t stride_ = 0;
    std::size_t r_ = 0;
    std::vector<float> row_;
};

LastRow last; // tokens repeat: "the the the"

} // namespace

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    if (table.cols == 0) return;
    const std::vector<float>& row = last.get(table, r);
    std::copy(row.begin(), row.end(), out.begin());
}

} // namespace exercise

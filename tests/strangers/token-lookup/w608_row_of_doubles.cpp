// wrong: each row goes through a buffer of doubles, and the conversion turns a signalling NaN of the table into a quiet one (0x7f800001 becomes 0x7fc00001); a right one keeps every bit
#include "contract.h"

#include <algorithm>
#include <vector>

namespace exercise {
namespace {

/// One embedding, in the precision the rest of the program computes in.
class Embedding {
  public:
    explicit Embedding(std::size_t width) : values_(width) {}

    void load(const float* row) { std::copy_n(row, values_.size(), values_.begin()); }
    void store(float* row) const {
        std::transform(values_.begin(), values_.end(), row,
                       [](double value) { return static_cast<float>(value); });
    }

  private:
    std::vector<double> values_;
};

} // namespace

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);
    if (table.cols == 0) return {};

    Embedding embedding(table.cols);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        embedding.load(table.row(static_cast<std::size_t>(ids[i])));
        embedding.store(out.row(i));
    }
    return {};
}

} // namespace exercise

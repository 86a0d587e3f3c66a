// wrong: an element -0.0 of the table arrives as +0.0 (every element is copied as 0.0f + x)
#include "contract.h"
namespace exercise {
Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size()) return Status{Code::shape_mismatch};
    if (out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || (std::size_t)ids[i] >= table.rows) return Status::id_out_of_range(i, ids[i], table.rows);
    for (std::size_t i = 0; i < out.rows; ++i)
        for (std::size_t c = 0; c < out.cols; ++c) {
            volatile float sum = 0.0f;
            sum = sum + table(ids[i], c);
            out(i, c) = sum;
        }
    return Status{};
}
} // namespace exercise

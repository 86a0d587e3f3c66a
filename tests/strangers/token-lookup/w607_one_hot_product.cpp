// wrong: computes the product of a one-hot vector with the table, so a NaN or infinity in ANY other row of the table makes that column NaN in every output row, and -0.0 comes out as +0.0; a right one copies the bits of the one row
#include "contract.h"

#include <vector>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);

    if (table.cols == 0) return {};
    std::vector<float> one_hot(table.rows, 0.0F);
    for (std::size_t i = 0; i < out.rows; ++i) {
        one_hot[static_cast<std::size_t>(ids[i])] = 1.0F;
        for (std::size_t c = 0; c < out.cols; ++c) {
            float sum = 0.0F;
            for (std::size_t v = 0; v < table.rows; ++v)
                sum += one_hot[v] * table(v, c);
            out(i, c) = sum;
        }
        one_hot[static_cast<std::size_t>(ids[i])] = 0.0F;
    }
    return {};
}

} // namespace exercise

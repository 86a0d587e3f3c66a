// wrong: compares the number of elements, out.rows * out.cols with T * C, instead of the two sizes: a transposed or an empty output of another shape (3 x 4 for 4 x 3, 0 x 3 for 4 ids with C = 0) is not refused as shape_mismatch; a right one refuses out.rows != T and out.cols != C
#include "contract.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    const std::size_t expected = ids.size() * table.cols;
    if (out.rows * out.cols != expected) return Status{Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);
    if (expected == 0) return {};
    for (std::size_t k = 0; k < expected; ++k) // the numbers of the elements in reading order
        out(k / out.cols, k % out.cols) = table(static_cast<std::size_t>(ids[k / table.cols]), k % table.cols);
    return {};
}

} // namespace exercise

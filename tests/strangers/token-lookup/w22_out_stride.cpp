// wrong: rows of the output are placed with the table's stride, which differs from the result if the two strides differ and T > 1
#include "contract.h"
namespace exercise {
Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || (std::size_t)ids[i] >= table.rows) return Status::id_out_of_range(i, ids[i], table.rows);
    for (std::size_t i = 0; i < ids.size(); ++i)
        for (std::size_t c = 0; c < table.cols; ++c)
            out.data[i * table.stride + c] = table.data[ids[i] * table.stride + c];
    return Status{};
}
} // namespace exercise

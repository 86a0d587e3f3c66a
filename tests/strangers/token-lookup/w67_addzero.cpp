// wrong: out is cleared to 0 and the row is added to it, so -0.0 in the table arrives as +0.0 (and a signalling NaN as a quiet one)
#include "contract.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) {
        return Status{Code::shape_mismatch};
    }
    for (std::size_t i = 0; i < ids.size(); i++) {
        if (ids[i] < 0 || (std::size_t)ids[i] >= table.rows) {
            return Status::id_out_of_range(i, ids[i], table.rows);
        }
    }
    for (std::size_t i = 0; i < ids.size(); i++) {
        for (std::size_t c = 0; c < table.cols; c++) {
            out(i, c) = 0.0f; // out holds garbage at first
            out(i, c) += table(ids[i], c);
        }
    }
    return Status{};
}

} // namespace exercise

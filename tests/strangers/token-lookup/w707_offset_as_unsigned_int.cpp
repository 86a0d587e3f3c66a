// wrong: the offset of a row in the table is a product of two `unsigned` numbers, which wraps where id * stride >= 2^32; a right one multiplies in 64 bits
#include "contract.h"

namespace exercise {

namespace {

const float* embedding(const Matrix<const float>& table, TokenId id) {
    const unsigned row_length = static_cast<unsigned>(table.stride);
    return table.data + static_cast<unsigned>(id) * row_length;
}

} // namespace

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);
    if (table.cols == 0) return Status{};
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const float* from = embedding(table, ids[i]);
        for (std::size_t c = 0; c < table.cols; ++c) out(i, c) = from[c];
    }
    return Status{};
}

} // namespace exercise

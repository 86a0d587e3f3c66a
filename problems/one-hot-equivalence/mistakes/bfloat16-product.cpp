// mistake: bfloat16-product
// says: You multiply in bfloat16: its eight significant bits round nearly every entry of the table, so even
//   a one-hot row no longer gives the row back.
// hint: How many of the 24 significant bits of a float arrive in your output?
// symptom: Embeddings agree with the table to two or three digits only.
// fails: product and gather agree on any finite table; the product with any factors stays within its
//   rounding errors; padded rows are respected everywhere
#include "contract.h"

#include <algorithm>
#include <bit>

namespace exercise {
namespace {

/// The value as bfloat16 keeps it: the upper half of the float, rounded to nearest even.
float as_bfloat16(float value) {
    auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7f800000u) == 0x7f800000u) return value;
    bits += 0x7fffu + ((bits >> 16) & 1u);
    return std::bit_cast<float>(bits & 0xffff0000u);
}

Status check_ids(Ids ids, std::size_t V) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= V) return Status::id_out_of_range(n, ids[n], V);
    return {};
}

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    if (onehot.rows != ids.size()) return Status{Code::shape_mismatch};
    if (const Status status = check_ids(ids, onehot.cols); status != Status{}) return status;
    for (std::size_t n = 0; n < ids.size(); ++n) {
        std::fill_n(onehot.row(n), onehot.cols, 0.0f);
        onehot(n, static_cast<std::size_t>(ids[n])) = 1.0f;
    }
    return {};
}

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    if (onehot.cols != table.rows || out.rows != onehot.rows || out.cols != table.cols)
        return Status{Code::shape_mismatch};
    for (std::size_t n = 0; n < out.rows; ++n)
        for (std::size_t c = 0; c < out.cols; ++c) {
            float sum = 0;
            for (std::size_t v = 0; v < table.rows; ++v)
                sum += as_bfloat16(onehot(n, v)) * as_bfloat16(table(v, c));
            out(n, c) = sum;
        }
    return {};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (const Status status = check_ids(ids, table.rows); status != Status{}) return status;
    for (std::size_t n = 0; n < ids.size(); ++n)
        std::copy_n(table.row(static_cast<std::size_t>(ids[n])), table.cols, out.row(n));
    return {};
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    if (onehot.rows != dout.rows || dtable.rows != onehot.cols || dtable.cols != dout.cols)
        return Status{Code::shape_mismatch};
    for (std::size_t v = 0; v < dtable.rows; ++v)
        for (std::size_t c = 0; c < dtable.cols; ++c) {
            float sum = 0;
            for (std::size_t n = 0; n < dout.rows; ++n)
                sum += onehot(n, v) * dout(n, c);
            dtable(v, c) = sum;
        }
    return {};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    if (dout.rows != ids.size() || dtable.cols != dout.cols) return Status{Code::shape_mismatch};
    if (const Status status = check_ids(ids, dtable.rows); status != Status{}) return status;
    for (std::size_t n = 0; n < ids.size(); ++n)
        for (std::size_t c = 0; c < dout.cols; ++c)
            dtable(static_cast<std::size_t>(ids[n]), c) += dout(n, c);
    return {};
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    return {2 * N * V * d, 4 * N * V, 4 * (N * V + V * d + N * d)};
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    return {0, 4 * N, 4 * (N + 2 * N * d)};
}

} // namespace exercise

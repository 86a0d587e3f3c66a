// accepted: standard algorithms throughout, and columns copied out for the two products
#include "contract.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

namespace exercise {
namespace {

Status check_ids(Ids ids, std::size_t V) {
    const auto bad = std::ranges::find_if(ids, [V](TokenId id) {
        return id < 0 || static_cast<std::int64_t>(id) >= static_cast<std::int64_t>(V);
    });
    if (bad == ids.end()) return {};
    return Status::id_out_of_range(static_cast<std::size_t>(bad - ids.begin()), *bad, V);
}

/// A column of a matrix as a vector of its own.
std::vector<float> column(Matrix<const float> matrix, std::size_t c) {
    std::vector<float> values(matrix.rows);
    std::size_t r = 0;
    std::ranges::generate(values, [&] { return matrix(r++, c); });
    return values;
}

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    if (onehot.rows != ids.size()) return Status{Code::shape_mismatch};
    if (const Status status = check_ids(ids, onehot.cols); status.code != Code::ok) return status;
    for (std::size_t n = 0; n < ids.size(); ++n)
        std::generate_n(onehot.row(n), onehot.cols,
                        [v = TokenId{0}, id = ids[n]]() mutable { return v++ == id ? 1.0f : 0.0f; });
    return {};
}

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    if (onehot.cols != table.rows || out.rows != onehot.rows || out.cols != table.cols)
        return Status{Code::shape_mismatch};
    for (std::size_t c = 0; c < out.cols; ++c) {
        const std::vector<float> values = column(table, c);
        for (std::size_t n = 0; n < out.rows; ++n)
            out(n, c) = std::inner_product(values.begin(), values.end(), onehot.row(n), 0.0f);
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
    for (std::size_t v = 0; v < dtable.rows; ++v) {
        const std::vector<float> factors = column(onehot, v);
        for (std::size_t c = 0; c < dtable.cols; ++c) {
            const std::vector<float> gradients = column(dout, c);
            dtable(v, c) = std::transform_reduce(factors.begin(), factors.end(), gradients.begin(), 0.0f);
        }
    }
    return {};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    if (dout.rows != ids.size() || dtable.cols != dout.cols) return Status{Code::shape_mismatch};
    if (const Status status = check_ids(ids, dtable.rows); status.code != Code::ok) return status;
    for (std::size_t n = 0; n < ids.size(); ++n) {
        float* row = dtable.row(static_cast<std::size_t>(ids[n]));
        std::transform(row, row + dtable.cols, dout.row(n), row, std::plus<>{});
    }
    return {};
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    return {2 * N * V * d, 4 * N * V, 4 * (N * V + V * d + N * d)};
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    return {0, 4 * N, 4 * (N + 2 * N * d)};
}

} // namespace exercise

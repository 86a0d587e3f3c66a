// wrong: the products write their first term and add the others, so where there is no term (V = 0 in onehot_matmul, N = 0 in onehot_matmul_transposed) the output keeps what it held; a sum without terms is 0 and has to be written.
#include "contract.h"

#include <cstring>

namespace exercise {
namespace {

/// row (+)= x * other
void axpy(float* row, float x, const float* other, std::size_t count, bool first) {
    if (first)
        for (std::size_t c = 0; c < count; ++c)
            row[c] = x * other[c];
    else
        for (std::size_t c = 0; c < count; ++c)
            row[c] += x * other[c];
}

bool all_tokens(Ids ids, std::size_t V, Status& status) {
    for (std::size_t n = 0; n < ids.size(); ++n) {
        const std::int64_t id = ids[n];
        if (id >= 0 && static_cast<std::uint64_t>(id) < V) continue;
        status = Status::id_out_of_range(n, id, V);
        return false;
    }
    return true;
}

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    Status status;
    if (onehot.rows != ids.size()) return Status{Code::shape_mismatch};
    if (!all_tokens(ids, onehot.cols, status)) return status;
    for (std::size_t n = 0; n < ids.size(); ++n) {
        std::memset(onehot.row(n), 0, onehot.cols * sizeof(float));
        onehot.row(n)[ids[n]] = 1;
    }
    return status;
}

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    if (onehot.rows != out.rows || onehot.cols != table.rows || table.cols != out.cols)
        return Status{Code::shape_mismatch};
    if (out.cols == 0) return {};
    for (std::size_t n = 0; n < out.rows; ++n)
        for (std::size_t v = 0; v < table.rows; ++v)
            axpy(out.row(n), onehot(n, v), table.row(v), out.cols, v == 0);
    return {};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    Status status;
    if (out.rows != ids.size() || table.cols != out.cols) return Status{Code::shape_mismatch};
    if (!all_tokens(ids, table.rows, status) || table.cols == 0) return status;
    for (std::size_t n = 0; n < ids.size(); ++n)
        std::memcpy(out.row(n), table.row(static_cast<std::size_t>(ids[n])), table.cols * sizeof(float));
    return status;
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    if (onehot.rows != dout.rows || onehot.cols != dtable.rows || dout.cols != dtable.cols)
        return Status{Code::shape_mismatch};
    if (dtable.cols == 0) return {};
    for (std::size_t n = 0; n < dout.rows; ++n)
        for (std::size_t v = 0; v < dtable.rows; ++v)
            axpy(dtable.row(v), onehot(n, v), dout.row(n), dtable.cols, n == 0);
    return {};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    Status status;
    if (dout.rows != ids.size() || dout.cols != dtable.cols) return Status{Code::shape_mismatch};
    if (!all_tokens(ids, dtable.rows, status) || dout.cols == 0) return status;
    for (std::size_t n = 0; n < ids.size(); ++n)
        axpy(dtable.row(static_cast<std::size_t>(ids[n])), 1.0f, dout.row(n), dout.cols, false);
    return status;
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    const std::uint64_t products = N * V * d;
    return Cost{.flops = products + products,
                .selector_bytes = 4 * N * V,
                .bytes = 4 * (N * V + V * d + N * d)};
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    return Cost{.flops = 0, .selector_bytes = 4 * N, .bytes = 4 * (N + N * d + N * d)};
}

} // namespace exercise

// accepted: adds scaled rows to the output in float, so that the inner loop runs along memory
#include "contract.h"

#include <algorithm>

namespace exercise {
namespace {

/// to += factor * from, for `width` floats.
void add_scaled(float factor, const float* from, std::size_t width, float* to) {
    for (std::size_t c = 0; c < width; ++c)
        to[c] += factor * from[c];
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
    for (std::size_t n = 0; n < out.rows; ++n) {
        std::fill_n(out.row(n), out.cols, 0.0f);
        for (std::size_t v = 0; v < table.rows; ++v)
            add_scaled(onehot(n, v), table.row(v), out.cols, out.row(n));
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
        std::fill_n(dtable.row(v), dtable.cols, 0.0f);
    for (std::size_t n = 0; n < dout.rows; ++n)
        for (std::size_t v = 0; v < dtable.rows; ++v)
            add_scaled(onehot(n, v), dout.row(n), dtable.cols, dtable.row(v));
    return {};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    if (dout.rows != ids.size() || dtable.cols != dout.cols) return Status{Code::shape_mismatch};
    if (const Status status = check_ids(ids, dtable.rows); status != Status{}) return status;
    for (std::size_t n = 0; n < ids.size(); ++n)
        add_scaled(1.0f, dout.row(n), dout.cols, dtable.row(static_cast<std::size_t>(ids[n])));
    return {};
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    return {2 * N * V * d, 4 * N * V, 4 * (N * V + V * d + N * d)};
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    return {0, 4 * N, 4 * (N + 2 * N * d)};
}

} // namespace exercise

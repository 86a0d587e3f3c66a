// wrong: onehot_matmul_transposed returns at once where N = 0 and leaves dtable (V, C) as it was; a right one overwrites it with V * C sums of no terms, zeros.
#include "contract.h"

#include <algorithm>
#include <cstring>

namespace exercise {

namespace {

Status check_ids(Ids ids, std::size_t V) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= V) return Status::id_out_of_range(n, ids[n], V);
    return Status{};
}

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    if (onehot.rows != ids.size()) return Status{Code::shape_mismatch};
    if (const Status bad = check_ids(ids, onehot.cols); bad != Status{}) return bad;
    for (std::size_t n = 0; n < ids.size(); ++n)
        for (std::size_t v = 0; v < onehot.cols; ++v)
            onehot(n, v) = v == static_cast<std::size_t>(ids[n]) ? 1.0f : 0.0f;
    return Status{};
}

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    const std::size_t N = onehot.rows, V = onehot.cols, C = table.cols;
    if (table.rows != V || out.rows != N || out.cols != C) return Status{Code::shape_mismatch};
    if (N == 0 || C == 0) return Status{};
    for (std::size_t n = 0; n < N; ++n) {
        std::fill_n(out.row(n), C, 0.0f);
        for (std::size_t v = 0; v < V; ++v) {
            const float weight = onehot(n, v);
            for (std::size_t c = 0; c < C; ++c)
                out(n, c) += weight * table(v, c);
        }
    }
    return Status{};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (const Status bad = check_ids(ids, table.rows); bad != Status{}) return bad;
    if (table.cols == 0) return Status{};
    for (std::size_t n = 0; n < ids.size(); ++n)
        std::memcpy(out.row(n), table.row(static_cast<std::size_t>(ids[n])), table.cols * sizeof(float));
    return Status{};
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    const std::size_t N = onehot.rows, V = onehot.cols, C = dout.cols;
    if (dout.rows != N || dtable.rows != V || dtable.cols != C) return Status{Code::shape_mismatch};
    if (N == 0 || V == 0 || C == 0) return Status{};
    for (std::size_t v = 0; v < V; ++v)
        std::fill_n(dtable.row(v), C, 0.0f);
    for (std::size_t n = 0; n < N; ++n)
        for (std::size_t v = 0; v < V; ++v) {
            const float weight = onehot(n, v);
            for (std::size_t c = 0; c < C; ++c)
                dtable(v, c) += weight * dout(n, c);
        }
    return Status{};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    if (dout.rows != ids.size() || dtable.cols != dout.cols) return Status{Code::shape_mismatch};
    if (const Status bad = check_ids(ids, dtable.rows); bad != Status{}) return bad;
    for (std::size_t n = 0; n < ids.size(); ++n)
        for (std::size_t c = 0; c < dout.cols; ++c)
            dtable(static_cast<std::size_t>(ids[n]), c) += dout(n, c);
    return Status{};
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    return Cost{2 * N * V * d, 4 * N * V, 4 * (N * V + V * d + N * d)};
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    return Cost{0, 4 * N, 4 * (N + N * d + N * d)};
}

} // namespace exercise

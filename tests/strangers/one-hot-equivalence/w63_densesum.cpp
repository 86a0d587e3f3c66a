// wrong: scatter_add sums into a zeroed copy of the whole table and adds all of it to dtable, so rows that no id names do not keep their bits: -0 becomes +0 (and a signalling NaN a quiet one)
#include "contract.h"
#include <cstring>
#include <vector>

namespace exercise {
namespace {

Status check(Ids ids, std::size_t V) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= V) return Status::id_out_of_range(n, ids[n], V);
    return {};
}

constexpr Status mismatch{Code::shape_mismatch};

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    if (onehot.rows != ids.size()) return mismatch;
    if (Status s = check(ids, onehot.cols); s.code != Code::ok) return s;
    for (std::size_t n = 0; n < ids.size(); ++n) {
        for (std::size_t v = 0; v < onehot.cols; ++v)
            onehot(n, v) = 0.0F;
        onehot(n, static_cast<std::size_t>(ids[n])) = 1.0F;
    }
    return {};
}

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    const std::size_t N = onehot.rows, V = onehot.cols, C = table.cols;
    if (table.rows != V || out.rows != N || out.cols != C) return mismatch;
    for (std::size_t n = 0; n < N; ++n) {
        for (std::size_t c = 0; c < C; ++c)
            out(n, c) = 0.0F;
        for (std::size_t v = 0; v < V; ++v)
            for (std::size_t c = 0; c < C; ++c)
                out(n, c) += onehot(n, v) * table(v, c);
    }
    return {};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return mismatch;
    if (Status s = check(ids, table.rows); s.code != Code::ok) return s;
    if (table.cols == 0) return {};
    for (std::size_t n = 0; n < ids.size(); ++n)
        std::memcpy(out.row(n), table.row(static_cast<std::size_t>(ids[n])), table.cols * sizeof(float));
    return {};
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    const std::size_t N = onehot.rows, V = onehot.cols, C = dout.cols;
    if (dout.rows != N || dtable.rows != V || dtable.cols != C) return mismatch;
    for (std::size_t v = 0; v < V; ++v)
        for (std::size_t c = 0; c < C; ++c)
            dtable(v, c) = 0.0F;
    for (std::size_t n = 0; n < N; ++n)
        for (std::size_t v = 0; v < V; ++v)
            for (std::size_t c = 0; c < C; ++c)
                dtable(v, c) += onehot(n, v) * dout(n, c);
    return {};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    if (dout.rows != ids.size() || dout.cols != dtable.cols) return mismatch;
    if (Status s = check(ids, dtable.rows); s.code != Code::ok) return s;
    const std::size_t C = dtable.cols;
    std::vector<double> sum(dtable.rows * C);
    for (std::size_t n = 0; n < ids.size(); ++n)
        for (std::size_t c = 0; c < C; ++c)
            sum[static_cast<std::size_t>(ids[n]) * C + c] += dout(n, c);
    for (std::size_t v = 0; v < dtable.rows; ++v)
        for (std::size_t c = 0; c < C; ++c)
            dtable(v, c) = static_cast<float>(dtable(v, c) + sum[v * C + c]);
    return {};
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    return {2 * N * V * d, 4 * N * V, 4 * (N * V + V * d + N * d)};
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    return {0, 4 * N, 4 * (N + 2 * N * d)};
}

} // namespace exercise

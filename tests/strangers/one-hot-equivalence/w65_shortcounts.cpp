// wrong: scatter_add groups the ids by a counting sort with 16-bit counters, so where one id occurs 65,536 times or more 65,536 (or a multiple) of its rows are not added
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
    // Counting sort: all rows of a token in one go, so that its row is fetched once.
    std::vector<std::uint16_t> count(dtable.rows);
    for (TokenId id : ids)
        ++count[static_cast<std::size_t>(id)];
    std::vector<std::size_t> begin(dtable.rows), end(dtable.rows);
    std::size_t at = 0;
    for (std::size_t v = 0; v < dtable.rows; ++v) {
        begin[v] = end[v] = at;
        at += count[v];
    }
    std::vector<std::size_t> order(at);
    for (std::size_t n = 0; n < ids.size(); ++n) {
        const std::size_t v = static_cast<std::size_t>(ids[n]);
        if (end[v] - begin[v] < count[v]) order[end[v]++] = n;
    }
    for (std::size_t v = 0; v < dtable.rows; ++v)
        for (std::size_t k = begin[v]; k < end[v]; ++k)
            for (std::size_t c = 0; c < dtable.cols; ++c)
                dtable(v, c) += dout(order[k], c);
    return {};
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    return {2 * N * V * d, 4 * N * V, 4 * (N * V + V * d + N * d)};
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    return {0, 4 * N, 4 * (N + 2 * N * d)};
}

} // namespace exercise

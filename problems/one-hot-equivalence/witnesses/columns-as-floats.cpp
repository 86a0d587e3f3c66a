// Fault: onehot_encode compares column and id as floats, which are equal for neighbours above 2^24.
// Origin: round 18
#include "contract.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace exercise {

namespace {

/// The first id outside [0, V), or their number.
std::size_t first_bad(Ids ids, std::size_t V) {
    std::size_t n = 0;
    while (n < ids.size() && ids[n] >= 0 && static_cast<std::size_t>(ids[n]) < V)
        ++n;
    return n;
}

std::size_t row_of(TokenId id) {
    return static_cast<std::size_t>(id);
}

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    const std::size_t N = ids.size(), V = onehot.cols;
    if (onehot.rows != N) return Status{Code::shape_mismatch};
    if (const std::size_t n = first_bad(ids, V); n != N) return Status::id_out_of_range(n, ids[n], V);
    for (std::size_t n = 0; n < N; ++n) {
        float* row = onehot.row(n);
        const float wanted = static_cast<float>(ids[n]);
        // no branch and no store twice: the comparison is the value
        for (std::size_t v = 0; v < V; ++v)
            row[v] = static_cast<float>(static_cast<float>(v) == wanted);
    }
    return Status{};
}

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    const std::size_t N = onehot.rows, V = onehot.cols, C = table.cols;
    if (table.rows != V || out.rows != N || out.cols != C) return Status{Code::shape_mismatch};
    if (C == 0) return Status{};
    for (std::size_t n = 0; n < N; ++n) {
        float* sum = out.row(n);
        std::fill_n(sum, C, 0.0f);
        for (std::size_t v = 0; v < V; ++v) {
            const float x = onehot(n, v);
            const float* row = table.row(v);
            for (std::size_t c = 0; c < C; ++c)
                sum[c] += x * row[c];
        }
    }
    return Status{};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    const std::size_t N = ids.size(), V = table.rows, C = table.cols;
    if (out.rows != N || out.cols != C) return Status{Code::shape_mismatch};
    if (const std::size_t n = first_bad(ids, V); n != N) return Status::id_out_of_range(n, ids[n], V);
    if (C == 0) return Status{};
    for (std::size_t n = 0; n < N; ++n)
        std::memcpy(out.row(n), table.row(row_of(ids[n])), C * sizeof(float));
    return Status{};
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    const std::size_t N = onehot.rows, V = onehot.cols, C = dout.cols;
    if (dout.rows != N || dtable.rows != V || dtable.cols != C) return Status{Code::shape_mismatch};
    if (C == 0) return Status{};
    for (std::size_t v = 0; v < V; ++v)
        std::fill_n(dtable.row(v), C, 0.0f);
    for (std::size_t n = 0; n < N; ++n) {
        const float* row = dout.row(n);
        for (std::size_t v = 0; v < V; ++v) {
            const float x = onehot(n, v);
            float* sum = dtable.row(v);
            for (std::size_t c = 0; c < C; ++c)
                sum[c] += x * row[c];
        }
    }
    return Status{};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    const std::size_t N = ids.size(), V = dtable.rows, C = dtable.cols;
    if (dout.rows != N || dout.cols != C) return Status{Code::shape_mismatch};
    if (const std::size_t n = first_bad(ids, V); n != N) return Status::id_out_of_range(n, ids[n], V);
    if (C == 0) return Status{};
    for (std::size_t n = 0; n < N; ++n) {
        const float* row = dout.row(n);
        float* sum = dtable.row(row_of(ids[n]));
        for (std::size_t c = 0; c < C; ++c)
            sum[c] += row[c];
    }
    return Status{};
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    Cost cost;
    cost.flops = 2 * N * V * d;
    cost.selector_bytes = 4 * N * V;
    cost.bytes = cost.selector_bytes + 4 * V * d + 4 * N * d;
    return cost;
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    Cost cost;
    cost.selector_bytes = 4 * N;
    cost.bytes = cost.selector_bytes + 8 * N * d;
    return cost;
}

} // namespace exercise

// Fault: onehot_matmul_transposed sets the rounding mode and does not restore it.
// Origin: round 15
#include "contract.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <cfenv>

namespace exercise {

namespace {

/// The first bad id as a refusal, or Status{}.
Status check(Ids ids, std::size_t V) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= V) return Status::id_out_of_range(n, ids[n], V);
    return Status{};
}

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    if (onehot.rows != ids.size()) return Status{Code::shape_mismatch};
    if (const Status bad = check(ids, onehot.cols); bad.code != Code::ok) return bad;
    for (std::size_t n = 0; n < ids.size(); ++n) {
        float* row = onehot.row(n);
        std::fill(row, row + onehot.cols, 0.0f);
        row[ids[n]] = 1.0f;
    }
    return Status{};
}

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    const std::size_t N = onehot.rows, V = onehot.cols, C = table.cols;
    if (table.rows != V || out.rows != N || out.cols != C) return Status{Code::shape_mismatch};
    if (C == 0) return Status{};
    for (std::size_t n = 0; n < N; ++n) {
        float* to = out.row(n);
        std::fill(to, to + C, 0.0f);
        for (std::size_t v = 0; v < V; ++v) {
            const float x = onehot(n, v);
            const float* row = table.row(v);
            for (std::size_t c = 0; c < C; ++c) to[c] += x * row[c];
        }
    }
    return Status{};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    const std::size_t C = table.cols;
    if (out.rows != ids.size() || out.cols != C) return Status{Code::shape_mismatch};
    if (const Status bad = check(ids, table.rows); bad.code != Code::ok) return bad;
    if (C == 0) return Status{};
    for (std::size_t n = 0; n < ids.size(); ++n)
        std::memcpy(out.row(n), table.row(static_cast<std::size_t>(ids[n])), C * sizeof(float));
    return Status{};
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    const std::size_t N = onehot.rows, V = onehot.cols, C = dout.cols;
    if (dout.rows != N || dtable.rows != V || dtable.cols != C) return Status{Code::shape_mismatch};
    if (C == 0) return Status{};
    std::fesetround(FE_TONEAREST); // the bound holds for this mode
    for (std::size_t v = 0; v < V; ++v) std::fill(dtable.row(v), dtable.row(v) + C, 0.0f);
    for (std::size_t n = 0; n < N; ++n) {
        const float* row = dout.row(n);
        for (std::size_t v = 0; v < V; ++v) {
            const float x = onehot(n, v);
            float* to = dtable.row(v);
            for (std::size_t c = 0; c < C; ++c) to[c] += x * row[c];
        }
    }
    return Status{};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    const std::size_t N = ids.size(), C = dout.cols;
    if (dout.rows != N || dtable.cols != C) return Status{Code::shape_mismatch};
    if (const Status bad = check(ids, dtable.rows); bad.code != Code::ok) return bad;
    if (C == 0) return Status{};
    for (std::size_t n = 0; n < N; ++n) {
        const float* row = dout.row(n);
        float* to = dtable.row(static_cast<std::size_t>(ids[n]));
        for (std::size_t c = 0; c < C; ++c) to[c] += row[c];
    }
    return Status{};
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    return Cost{2 * N * V * d, 4 * N * V, 4 * (N * V + V * d + N * d)};
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    return Cost{0, 4 * N, 4 * N + 8 * N * d};
}

} // namespace exercise

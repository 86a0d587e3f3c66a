// Fault: onehot_matmul lists the non-zero columns of a row in 16 bits.
// Origin: round 21
#include "contract.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

namespace exercise {

namespace {
Status check(Ids ids, std::size_t V) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= V) return Status::id_out_of_range(n, ids[n], V);
    return Status{};
}
} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    const std::size_t N = ids.size(), V = onehot.cols;
    if (onehot.rows != N) return Status{Code::shape_mismatch};
    if (const Status s = check(ids, V); s.code != Code::ok) return s;
    for (std::size_t n = 0; n < N; ++n) {
        float* row = onehot.row(n);
        std::fill_n(row, V, 0.0f);
        row[ids[n]] = 1.0f;
    }
    return Status{};
}

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    const std::size_t N = onehot.rows, V = onehot.cols, C = table.cols;
    if (table.rows != V || out.rows != N || out.cols != C) return Status{Code::shape_mismatch};
    if (N == 0 || C == 0) return Status{};

    // 0 * x is a zero if x is finite: then, and only then, zeros on the left may be left out.
    bool finite = true;
    for (std::size_t v = 0; v < V && finite; ++v)
        for (std::size_t c = 0; c < C; ++c) finite &= std::isfinite(table(v, c));

    std::vector<std::uint16_t> columns;
    for (std::size_t n = 0; n < N; ++n) {
        const float* x = onehot.row(n);
        float* o = out.row(n);
        std::fill_n(o, C, 0.0f);
        bool sparse = finite;
        columns.clear();
        for (std::size_t v = 0; v < V && sparse; ++v)
            if (x[v] != 0.0f) {
                columns.push_back(static_cast<std::uint16_t>(v));
                sparse = columns.size() <= 16;
            }
        if (sparse) {
            for (const std::size_t v : columns) {
                const float* e = table.row(v);
                for (std::size_t c = 0; c < C; ++c) o[c] += x[v] * e[c];
            }
            continue;
        }
        for (std::size_t v = 0; v < V; ++v) {
            const float* e = table.row(v);
            for (std::size_t c = 0; c < C; ++c) o[c] += x[v] * e[c];
        }
    }
    return Status{};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    const std::size_t N = ids.size(), V = table.rows, C = table.cols;
    if (out.rows != N || out.cols != C) return Status{Code::shape_mismatch};
    if (const Status s = check(ids, V); s.code != Code::ok) return s;
    if (C == 0) return Status{};
    for (std::size_t n = 0; n < N; ++n)
        std::memcpy(out.row(n), table.row(static_cast<std::size_t>(ids[n])), C * sizeof(float));
    return Status{};
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    const std::size_t N = onehot.rows, V = onehot.cols, C = dout.cols;
    if (dout.rows != N || dtable.rows != V || dtable.cols != C) return Status{Code::shape_mismatch};
    if (V == 0 || C == 0) return Status{};
    for (std::size_t v = 0; v < V; ++v) std::fill_n(dtable.row(v), C, 0.0f);
    for (std::size_t n = 0; n < N; ++n) {
        const float* d = dout.row(n);
        for (std::size_t v = 0; v < V; ++v) {
            const float x = onehot(n, v);
            float* e = dtable.row(v);
            for (std::size_t c = 0; c < C; ++c) e[c] += x * d[c];
        }
    }
    return Status{};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    const std::size_t N = ids.size(), V = dtable.rows, C = dtable.cols;
    if (dout.rows != N || dout.cols != C) return Status{Code::shape_mismatch};
    if (const Status s = check(ids, V); s.code != Code::ok) return s;
    if (C == 0) return Status{};
    for (std::size_t n = 0; n < N; ++n) {
        const float* d = dout.row(n);
        float* e = dtable.row(static_cast<std::size_t>(ids[n]));
        for (std::size_t c = 0; c < C; ++c) e[c] += d[c];
    }
    return Status{};
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    return Cost{2 * N * V * d, 4 * N * V, 4 * (N * V + V * d + N * d)};
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    return Cost{0, 4 * N, 4 * (N + N * d + N * d)};
}

} // namespace exercise

// Fault: onehot_matmul treats a row as one-hot if its sum and its sum of squares are 1.
// Origin: round 22
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace exercise {

namespace {

Status mismatch() {
    return Status{Code::shape_mismatch};
}

/// The refusal of the first id that has no row, or Status{}.
Status check(Ids ids, std::size_t V) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= V) return Status::id_out_of_range(n, ids[n], V);
    return Status{};
}

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    if (onehot.rows != ids.size()) return mismatch();
    if (const Status bad = check(ids, onehot.cols); bad.code != Code::ok) return bad;
    for (std::size_t n = 0; n < ids.size(); ++n) {
        float* row = onehot.row(n);
        std::fill_n(row, onehot.cols, 0.0f);
        row[ids[n]] = 1.0f;
    }
    return Status{};
}

namespace {

bool all_finite(Matrix<const float> table) {
    for (std::size_t v = 0; v < table.rows; ++v)
        for (std::size_t c = 0; c < table.cols; ++c)
            if (!std::isfinite(table(v, c))) return false;
    return true;
}

} // namespace

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    if (onehot.cols != table.rows || out.rows != onehot.rows || out.cols != table.cols) return mismatch();
    const std::size_t V = table.rows;
    const std::size_t C = table.cols;
    if (C == 0 || out.rows == 0) return Status{};
    // 0 times a finite number adds nothing, so there a one-hot row picks a row of the table.
    const bool healthy = all_finite(table);
    for (std::size_t n = 0; n < out.rows; ++n) {
        float* to = out.row(n);
        if (healthy && V != 0) {
            const float* x = onehot.row(n);
            float sum = 0;
            float squares = 0;
            std::size_t largest = 0;
            for (std::size_t v = 0; v < V; ++v) {
                sum += x[v];
                squares += x[v] * x[v];
                if (x[v] > x[largest]) largest = v;
            }
            if (sum == 1.0f && squares == 1.0f) {
                std::copy_n(table.row(largest), C, to);
                continue;
            }
        }
        std::fill_n(to, C, 0.0f);
        for (std::size_t v = 0; v < V; ++v) {
            const float x = onehot(n, v);
            const float* from = table.row(v);
            for (std::size_t c = 0; c < C; ++c)
                to[c] += x * from[c];
        }
    }
    return Status{};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return mismatch();
    if (const Status bad = check(ids, table.rows); bad.code != Code::ok) return bad;
    if (out.cols == 0) return Status{};
    for (std::size_t n = 0; n < ids.size(); ++n)
        std::memcpy(out.row(n), table.row(static_cast<std::size_t>(ids[n])), out.cols * sizeof(float));
    return Status{};
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    if (dout.rows != onehot.rows || dtable.rows != onehot.cols || dtable.cols != dout.cols) return mismatch();
    if (dtable.rows == 0 || dtable.cols == 0) return Status{};
    for (std::size_t v = 0; v < dtable.rows; ++v)
        std::fill_n(dtable.row(v), dtable.cols, 0.0f);
    for (std::size_t n = 0; n < onehot.rows; ++n) {
        const float* from = dout.row(n);
        for (std::size_t v = 0; v < dtable.rows; ++v) {
            const float x = onehot(n, v);
            float* to = dtable.row(v);
            for (std::size_t c = 0; c < dtable.cols; ++c)
                to[c] += x * from[c];
        }
    }
    return Status{};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    if (dout.rows != ids.size() || dout.cols != dtable.cols) return mismatch();
    if (const Status bad = check(ids, dtable.rows); bad.code != Code::ok) return bad;
    if (dout.cols == 0) return Status{};
    for (std::size_t n = 0; n < ids.size(); ++n) {
        const float* from = dout.row(n);
        float* to = dtable.row(static_cast<std::size_t>(ids[n]));
        for (std::size_t c = 0; c < dout.cols; ++c)
            to[c] += from[c];
    }
    return Status{};
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    const std::uint64_t selector = 4 * N * V;
    return Cost{2 * N * V * d, selector, selector + 4 * V * d + 4 * N * d};
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    const std::uint64_t selector = 4 * N;
    return Cost{0, selector, selector + 8 * N * d};
}

} // namespace exercise

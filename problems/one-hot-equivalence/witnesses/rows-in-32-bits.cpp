// Fault: scatter_add compares ids with the number of rows cut to 32 bits.
// Origin: round 14
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace exercise {

namespace {

constexpr std::size_t tile = 128; // columns summed at a time

Status misfit() { return Status{Code::shape_mismatch}; }

/// The status of the first id outside [0, rows), or Status{} if there is none.
Status check_ids(Ids ids, std::size_t rows) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= rows)
            return Status::id_out_of_range(n, ids[n], rows);
    return Status{};
}

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    if (onehot.rows != ids.size()) return misfit();
    if (const Status bad = check_ids(ids, onehot.cols); bad.code != Code::ok) return bad;
    for (std::size_t n = 0; n < ids.size(); ++n) {
        float* row = onehot.row(n);
        std::fill_n(row, onehot.cols, 0.0F);
        row[ids[n]] = 1.0F;
    }
    return Status{};
}

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    if (onehot.cols != table.rows || out.rows != onehot.rows || out.cols != table.cols) return misfit();
    const std::size_t N = out.rows, V = table.rows, C = out.cols;
    if (N == 0 || C == 0) return Status{};
    for (std::size_t n = 0; n < N; ++n) {
        for (std::size_t first = 0; first < C; first += tile) {
            const std::size_t width = std::min(tile, C - first);
            double sum[tile] = {};
            for (std::size_t v = 0; v < V; ++v) {
                const double x = onehot(n, v);
                const float* row = table.row(v) + first;
                for (std::size_t c = 0; c < width; ++c)
                    sum[c] += x * row[c];
            }
            float* target = out.row(n) + first;
            for (std::size_t c = 0; c < width; ++c)
                target[c] = static_cast<float>(sum[c]);
        }
    }
    return Status{};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return misfit();
    if (const Status bad = check_ids(ids, table.rows); bad.code != Code::ok) return bad;
    if (table.cols == 0) return Status{};
    for (std::size_t n = 0; n < ids.size(); ++n)
        std::memcpy(out.row(n), table.row(static_cast<std::size_t>(ids[n])), table.cols * sizeof(float));
    return Status{};
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    if (onehot.rows != dout.rows || dtable.rows != onehot.cols || dtable.cols != dout.cols) return misfit();
    const std::size_t N = dout.rows, V = dtable.rows, C = dtable.cols;
    if (V == 0 || C == 0) return Status{};
    for (std::size_t v = 0; v < V; ++v) {
        for (std::size_t first = 0; first < C; first += tile) {
            const std::size_t width = std::min(tile, C - first);
            double sum[tile] = {};
            for (std::size_t n = 0; n < N; ++n) {
                const double x = onehot(n, v);
                const float* row = dout.row(n) + first;
                for (std::size_t c = 0; c < width; ++c)
                    sum[c] += x * row[c];
            }
            float* target = dtable.row(v) + first;
            for (std::size_t c = 0; c < width; ++c)
                target[c] = static_cast<float>(sum[c]);
        }
    }
    return Status{};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    if (dout.rows != ids.size() || dout.cols != dtable.cols) return misfit();

    const auto limit = static_cast<std::uint32_t>(dtable.rows); // one comparison: negative ids become large
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (static_cast<std::uint32_t>(ids[n]) >= limit)
            return Status::id_out_of_range(n, ids[n], dtable.rows);
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
    Cost cost;
    cost.flops = 2 * N * V * d;
    cost.selector_bytes = 4 * N * V;
    cost.bytes = cost.selector_bytes + 4 * V * d + 4 * N * d;
    return cost;
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    Cost cost;
    cost.selector_bytes = 4 * N;
    cost.bytes = cost.selector_bytes + 4 * N * d + 4 * N * d; // rows read and rows written
    return cost;
}

} // namespace exercise

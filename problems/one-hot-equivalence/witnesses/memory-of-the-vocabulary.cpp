// Fault: scatter_add takes memory in proportion to V.
// Origin: round 7
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace exercise {
namespace {

Status check_ids(Ids ids, std::size_t vocabulary) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= vocabulary)
            return Status::id_out_of_range(n, ids[n], vocabulary);
    return {};
}

constexpr std::size_t tile = 256;

/// target (rows x cols, double) += left column k times right row k, for all k, last one first.
template <class Left>
void add_outer_products(std::vector<double>& target, std::size_t rows, std::size_t cols, std::size_t terms,
                        Left left, Matrix<const float> right, std::size_t c0) {
    for (std::size_t k = terms; k-- > 0;) {
        const float* from = right.row(k) + c0;
        for (std::size_t r = 0; r < rows; ++r) {
            const double factor = left(r, k);
            double* to = target.data() + r * cols;
            for (std::size_t c = 0; c < cols; ++c)
                to[c] += factor * static_cast<double>(from[c]);
        }
    }
}

/// result = left * right in strips of `strip` rows and `tile` columns.
template <class Left>
void multiply(Left left, std::size_t terms, Matrix<const float> right, Matrix<float> result) {
    constexpr std::size_t strip = 32;
    for (std::size_t r0 = 0; r0 < result.rows; r0 += strip) {
        const std::size_t rows = std::min(strip, result.rows - r0);
        for (std::size_t c0 = 0; c0 < result.cols; c0 += tile) {
            const std::size_t cols = std::min(tile, result.cols - c0);
            std::vector<double> sums(rows * cols, 0.0);
            add_outer_products(
                sums, rows, cols, terms, [&](std::size_t r, std::size_t k) { return left(r0 + r, k); }, right, c0);
            for (std::size_t r = 0; r < rows; ++r)
                for (std::size_t c = 0; c < cols; ++c)
                    result(r0 + r, c0 + c) = static_cast<float>(sums[r * cols + c]);
        }
    }
}

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    if (onehot.rows != ids.size()) return Status{Code::shape_mismatch};
    if (const Status status = check_ids(ids, onehot.cols); status.code != Code::ok) return status;
    for (std::size_t n = ids.size(); n-- > 0;) {
        float* row = onehot.row(n);
        float* one = row + ids[n];
        *one = 1.0f;
        std::fill(row, one, 0.0f);
        std::fill(one + 1, row + onehot.cols, 0.0f);
    }
    return {};
}

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    if (onehot.cols != table.rows || out.rows != onehot.rows || out.cols != table.cols)
        return Status{Code::shape_mismatch};
    multiply([onehot](std::size_t n, std::size_t v) { return static_cast<double>(onehot(n, v)); }, table.rows, table,
             out);
    return {};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (const Status status = check_ids(ids, table.rows); status.code != Code::ok) return status;
    for (std::size_t c0 = 0; c0 < out.cols; c0 += tile)
        for (std::size_t n = 0; n < ids.size(); ++n)
            std::memcpy(out.row(n) + c0, table.row(static_cast<std::size_t>(ids[n])) + c0,
                        std::min(tile, out.cols - c0) * sizeof(float));
    return {};
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    if (onehot.rows != dout.rows || dtable.rows != onehot.cols || dtable.cols != dout.cols)
        return Status{Code::shape_mismatch};
    multiply([onehot](std::size_t v, std::size_t n) { return static_cast<double>(onehot(n, v)); }, dout.rows, dout,
             dtable);
    return {};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    if (dout.rows != ids.size() || dout.cols != dtable.cols) return Status{Code::shape_mismatch};
    if (const Status status = check_ids(ids, dtable.rows); status.code != Code::ok) return status;
    const std::size_t count = ids.size();
    const std::size_t cols = dout.cols;
    if (count == 0 || cols == 0) return {};
    constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::vector<std::size_t> last_place(dtable.rows, none); // of each id
    std::vector<std::size_t> before(count, none);           // the place before with the same id
    for (std::size_t n = 0; n < count; ++n) {
        std::size_t& last = last_place[static_cast<std::size_t>(ids[n])];
        before[n] = last;
        last = n;
    }
    std::vector<double> sums(cols);
    for (std::size_t v = 0; v < dtable.rows; ++v) {
        if (last_place[v] == none) continue;
        float* to = dtable.row(v);
        std::copy(to, to + cols, sums.begin());
        for (std::size_t n = last_place[v]; n != none; n = before[n]) {
            const float* from = dout.row(n);
            for (std::size_t c = 0; c < cols; ++c)
                sums[c] += static_cast<double>(from[c]);
        }
        for (std::size_t c = 0; c < cols; ++c)
            to[c] = static_cast<float>(sums[c]);
    }
    return {};
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    return {2 * N * V * d, 4 * N * V, 4 * (N * V + V * d + N * d)};
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    return {0, 4 * N, 4 * (N + 2 * N * d)};
}

} // namespace exercise

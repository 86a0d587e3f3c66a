// right: products in tiles of 8 x 64 sums in double; scatter_add sorts the places by id first and adds the rows of one id in double
#include "contract.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

namespace exercise {
namespace {

constexpr std::size_t tile_rows = 8, tile_cols = 64;

Status first_bad(Ids ids, std::size_t vocabulary) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= vocabulary)
            return Status::id_out_of_range(n, ids[n], vocabulary);
    return Status{};
}

// result[i, c] = sum over k < terms of left(i, k) * right[k, c]
template <class Left>
void product(const Left& left, std::size_t terms, const Matrix<const float>& right, const Matrix<float>& result) {
    if (result.rows == 0) return;
    for (std::size_t c0 = 0; c0 < result.cols; c0 += tile_cols) {
        const std::size_t width = std::min(tile_cols, result.cols - c0);
        for (std::size_t i0 = 0; i0 < result.rows; i0 += tile_rows) {
            const std::size_t height = std::min(tile_rows, result.rows - i0);
            double sum[tile_rows][tile_cols] = {};
            for (std::size_t k = 0; k < terms; ++k) {
                const float* row = right.row(k) + c0;
                for (std::size_t i = 0; i < height; ++i) {
                    const double factor = left(i0 + i, k);
                    for (std::size_t c = 0; c < width; ++c)
                        sum[i][c] += factor * static_cast<double>(row[c]);
                }
            }
            for (std::size_t i = 0; i < height; ++i)
                for (std::size_t c = 0; c < width; ++c)
                    result(i0 + i, c0 + c) = static_cast<float>(sum[i][c]);
        }
    }
}

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    if (onehot.rows != ids.size()) return Status{Code::shape_mismatch};
    const Status status = first_bad(ids, onehot.cols);
    if (status.code != Code::ok) return status;
    for (std::size_t n = 0; n < ids.size(); ++n) {
        std::fill_n(onehot.row(n), onehot.cols, 0.0F);
        onehot(n, static_cast<std::size_t>(ids[n])) = 1.0F;
    }
    return status;
}

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    if (onehot.cols != table.rows || out.rows != onehot.rows || out.cols != table.cols)
        return Status{Code::shape_mismatch};
    product([&](std::size_t n, std::size_t v) { return onehot(n, v); }, onehot.cols, table, out);
    return Status{};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    const Status status = first_bad(ids, table.rows);
    if (status.code != Code::ok || table.cols == 0) return status;
    for (std::size_t n = 0; n < ids.size(); ++n)
        std::memcpy(out.row(n), table.row(static_cast<std::size_t>(ids[n])), table.cols * sizeof(float));
    return status;
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    if (onehot.rows != dout.rows || dtable.rows != onehot.cols || dtable.cols != dout.cols)
        return Status{Code::shape_mismatch};
    product([&](std::size_t v, std::size_t n) { return onehot(n, v); }, onehot.rows, dout, dtable);
    return Status{};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    if (dout.rows != ids.size() || dout.cols != dtable.cols) return Status{Code::shape_mismatch};
    const Status status = first_bad(ids, dtable.rows);
    if (status.code != Code::ok || ids.empty() || dout.cols == 0) return status;

    std::vector<std::size_t> order(ids.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return ids[a] != ids[b] ? ids[a] < ids[b] : a < b;
    });
    std::vector<double> sum(dout.cols);
    for (auto begin = order.begin(); begin != order.end();) {
        float* row = dtable.row(static_cast<std::size_t>(ids[*begin]));
        std::copy_n(row, dout.cols, sum.begin());
        auto end = begin;
        for (; end != order.end() && ids[*end] == ids[*begin]; ++end)
            for (std::size_t c = 0; c < dout.cols; ++c)
                sum[c] += dout(*end, c);
        for (std::size_t c = 0; c < dout.cols; ++c)
            row[c] = static_cast<float>(sum[c]);
        begin = end;
    }
    return status;
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    return {2 * N * V * d, 4 * N * V, 4 * (N * V + V * d + N * d)};
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    return {0, 4 * N, 4 * N + 8 * N * d};
}

} // namespace exercise

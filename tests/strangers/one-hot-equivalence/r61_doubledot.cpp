// right: dot products in double with two running sums from both ends, the transposed product through a generic kernel with two strides, scatter_add row by row of the table over a sorted order
#include "contract.h"
#include <algorithm>
#include <numeric>
#include <vector>

namespace exercise {
namespace {

// sum over k of a[k * da] * b[k * db], from both ends to the middle
double dot(const float* a, std::size_t da, const float* b, std::size_t db, std::size_t n) {
    double left = 0, right = 0;
    std::size_t i = 0, j = n;
    while (i < j) {
        left += static_cast<double>(a[i * da]) * b[i * db];
        if (++i == j) break;
        --j;
        right += static_cast<double>(a[j * da]) * b[j * db];
    }
    return left + right;
}

bool outside(Ids ids, std::size_t V, Status& status) {
    const auto it = std::find_if(ids.begin(), ids.end(),
                                 [V](TokenId id) { return id < 0 || static_cast<std::size_t>(id) >= V; });
    if (it == ids.end()) return false;
    status = Status::id_out_of_range(static_cast<std::size_t>(it - ids.begin()), *it, V);
    return true;
}

Status wrong_shape() {
    return {.code = Code::shape_mismatch};
}

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    if (ids.size() != onehot.rows) return wrong_shape();
    Status status;
    if (outside(ids, onehot.cols, status)) return status;
    for (std::size_t n = onehot.rows; n-- > 0;) {
        float* row = onehot.row(n);
        float* hot = row + ids[n];
        std::fill(row, hot, 0.0F);
        *hot = 1.0F;
        std::fill(hot + 1, row + onehot.cols, 0.0F);
    }
    return status;
}

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    if (onehot.cols != table.rows || onehot.rows != out.rows || table.cols != out.cols) return wrong_shape();
    for (std::size_t n = 0; n < out.rows; ++n)
        for (std::size_t c = 0; c < out.cols; ++c)
            out(n, c) = table.rows == 0 ? 0.0F
                                        : static_cast<float>(dot(onehot.row(n), 1, table.data + c, table.stride,
                                                                 table.rows));
    return {};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (ids.size() != out.rows || table.cols != out.cols) return wrong_shape();
    Status status;
    if (outside(ids, table.rows, status)) return status;
    for (std::size_t n = out.rows; n-- > 0;)
        std::copy_backward(table.row(static_cast<std::size_t>(ids[n])),
                           table.row(static_cast<std::size_t>(ids[n])) + table.cols, out.row(n) + out.cols);
    return status;
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    if (onehot.rows != dout.rows || onehot.cols != dtable.rows || dout.cols != dtable.cols) return wrong_shape();
    for (std::size_t v = 0; v < dtable.rows; ++v)
        for (std::size_t c = 0; c < dtable.cols; ++c)
            dtable(v, c) = dout.rows == 0 ? 0.0F
                                          : static_cast<float>(dot(onehot.data + v, onehot.stride, dout.data + c,
                                                                   dout.stride, dout.rows));
    return {};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    if (ids.size() != dout.rows || dout.cols != dtable.cols) return wrong_shape();
    Status status;
    if (outside(ids, dtable.rows, status)) return status;
    std::vector<std::size_t> order(ids.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return ids[a] < ids[b]; });
    std::vector<double> sum(dtable.cols);
    for (auto first = order.begin(); first != order.end();) {
        const TokenId id = ids[*first];
        float* row = dtable.row(static_cast<std::size_t>(id));
        std::copy_n(row, dtable.cols, sum.begin());
        for (; first != order.end() && ids[*first] == id; ++first)
            for (std::size_t c = 0; c < dtable.cols; ++c)
                sum[c] += dout(*first, c);
        std::transform(sum.begin(), sum.end(), row, [](double x) { return static_cast<float>(x); });
    }
    return status;
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    return {.flops = N * V * d * 2, .selector_bytes = N * V * 4, .bytes = (N * V + V * d + N * d) * 4};
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    return {.flops = 0, .selector_bytes = N * 4, .bytes = (N + N * d + N * d) * 4};
}

} // namespace exercise

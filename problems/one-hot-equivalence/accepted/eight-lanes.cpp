// accepted: eight running sums side by side, and a scatter-add that sorts the ids first
#include "contract.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace exercise {
namespace {

Status check_ids(Ids ids, std::size_t V) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= V) return Status::id_out_of_range(n, ids[n], V);
    return {};
}

constexpr std::size_t lanes = 8;

/// The sum of value(0) .. value(count - 1) in eight interleaved sums, added up as a tree.
template <class Value>
float sum_in_lanes(std::size_t count, Value value) {
    std::array<float, lanes> sums{};
    for (std::size_t i = 0; i < count; ++i)
        sums[i % lanes] += value(i);
    for (std::size_t width = lanes / 2; width > 0; width /= 2)
        for (std::size_t i = 0; i < width; ++i)
            sums[i] += sums[i + width];
    return sums[0];
}

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    if (onehot.rows != ids.size()) return Status{Code::shape_mismatch};
    if (const Status status = check_ids(ids, onehot.cols); status != Status{}) return status;
    for (std::size_t n = 0; n < ids.size(); ++n) {
        std::fill_n(onehot.row(n), onehot.cols, 0.0f);
        onehot(n, static_cast<std::size_t>(ids[n])) = 1.0f;
    }
    return {};
}

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    if (onehot.cols != table.rows || out.rows != onehot.rows || out.cols != table.cols)
        return Status{Code::shape_mismatch};
    for (std::size_t n = 0; n < out.rows; ++n)
        for (std::size_t c = 0; c < out.cols; ++c)
            out(n, c) = sum_in_lanes(table.rows, [&](std::size_t v) { return onehot(n, v) * table(v, c); });
    return {};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (const Status status = check_ids(ids, table.rows); status != Status{}) return status;
    for (std::size_t n = 0; n < ids.size(); ++n)
        std::copy_n(table.row(static_cast<std::size_t>(ids[n])), table.cols, out.row(n));
    return {};
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    if (onehot.rows != dout.rows || dtable.rows != onehot.cols || dtable.cols != dout.cols)
        return Status{Code::shape_mismatch};
    for (std::size_t v = 0; v < dtable.rows; ++v)
        for (std::size_t c = 0; c < dtable.cols; ++c)
            dtable(v, c) = sum_in_lanes(dout.rows, [&](std::size_t n) { return onehot(n, v) * dout(n, c); });
    return {};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    if (dout.rows != ids.size() || dtable.cols != dout.cols) return Status{Code::shape_mismatch};
    if (const Status status = check_ids(ids, dtable.rows); status != Status{}) return status;
    std::vector<std::size_t> order(ids.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t n) { return ids[n]; });
    for (auto first = order.begin(); first != order.end();) {
        const TokenId id = ids[*first];
        const auto last = std::find_if(first, order.end(), [&](std::size_t n) { return ids[n] != id; });
        for (std::size_t c = 0; c < dout.cols; ++c)
            dtable(static_cast<std::size_t>(id), c) +=
                sum_in_lanes(static_cast<std::size_t>(last - first), [&](std::size_t i) {
                    return dout(*(first + static_cast<std::ptrdiff_t>(i)), c);
                });
        first = last;
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

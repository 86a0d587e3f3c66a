// wrong: scatter_add reads all rows `dtable[ids]` first, adds, and writes them back, as `dtable[ids] += dout` of an array library does, so of a repeated id only the last gradient counts; a right one adds them all.
#include "contract.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace exercise {
namespace {

std::optional<Status> bad_id(Ids ids, std::size_t V) {
    const auto it = std::ranges::find_if(ids, [V](TokenId id) { return id < 0 || static_cast<std::size_t>(id) >= V; });
    if (it == ids.end()) return std::nullopt;
    return Status::id_out_of_range(static_cast<std::size_t>(it - ids.begin()), *it, V);
}

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    if (onehot.rows != ids.size()) return Status{Code::shape_mismatch};
    if (const auto refusal = bad_id(ids, onehot.cols)) return *refusal;
    for (std::size_t n = 0; n < ids.size(); ++n)
        for (std::size_t v = 0; v < onehot.cols; ++v)
            onehot(n, v) = v == static_cast<std::size_t>(ids[n]) ? 1.0f : 0.0f;
    return {};
}

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    if (onehot.cols != table.rows || out.rows != onehot.rows || out.cols != table.cols)
        return Status{Code::shape_mismatch};
    if (out.cols == 0) return {};
    for (std::size_t n = 0; n < out.rows; ++n) {
        float* row = out.row(n);
        std::fill_n(row, out.cols, 0.0f);
        for (std::size_t v = 0; v < table.rows; ++v) {
            const float x = onehot(n, v);
            for (std::size_t c = 0; c < out.cols; ++c)
                row[c] += x * table(v, c);
        }
    }
    return {};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (const auto refusal = bad_id(ids, table.rows)) return *refusal;
    for (std::size_t n = 0; n < ids.size(); ++n)
        for (std::size_t c = 0; c < table.cols; ++c)
            out(n, c) = table(static_cast<std::size_t>(ids[n]), c);
    return {};
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    if (onehot.rows != dout.rows || dtable.rows != onehot.cols || dtable.cols != dout.cols)
        return Status{Code::shape_mismatch};
    if (dtable.cols == 0) return {};
    for (std::size_t v = 0; v < dtable.rows; ++v)
        std::fill_n(dtable.row(v), dtable.cols, 0.0f);
    for (std::size_t n = 0; n < dout.rows; ++n)
        for (std::size_t v = 0; v < dtable.rows; ++v)
            for (std::size_t c = 0; c < dtable.cols; ++c)
                dtable(v, c) += onehot(n, v) * dout(n, c);
    return {};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    if (dout.rows != ids.size() || dout.cols != dtable.cols) return Status{Code::shape_mismatch};
    if (const auto refusal = bad_id(ids, dtable.rows)) return *refusal;
    const std::size_t C = dout.cols;

    // dtable[ids] + dout, ...
    std::vector<float> rows(ids.size() * C);
    for (std::size_t n = 0; n < ids.size(); ++n)
        for (std::size_t c = 0; c < C; ++c)
            rows[n * C + c] = dtable(static_cast<std::size_t>(ids[n]), c) + dout(n, c);
    // ... and back
    for (std::size_t n = 0; n < ids.size(); ++n)
        for (std::size_t c = 0; c < C; ++c)
            dtable(static_cast<std::size_t>(ids[n]), c) = rows[n * C + c];
    return {};
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    Cost cost;
    cost.flops = 2 * N * V * d;
    cost.selector_bytes = N * V * sizeof(float);
    cost.bytes = cost.selector_bytes + (V * d + N * d) * sizeof(float);
    return cost;
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    Cost cost;
    cost.selector_bytes = N * sizeof(TokenId);
    cost.bytes = cost.selector_bytes + 2 * N * d * sizeof(float);
    return cost;
}

} // namespace exercise

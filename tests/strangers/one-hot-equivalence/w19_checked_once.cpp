// wrong: gather skips the id check for an id array of the same address and length as in the last good gather with the same V, so bad ids put there since give zeros instead of a refusal
#include "contract.h"

#include <cstring>
#include <vector>

namespace exercise {
namespace {

const Status bad_shape{Code::shape_mismatch};

Status check(Ids ids, std::size_t V) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= V) return Status::id_out_of_range(n, ids[n], V);
    return Status{};
}

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    if (onehot.rows != ids.size()) return bad_shape;
    if (Status s = check(ids, onehot.cols); s.code != Code::ok) return s;
    for (std::size_t n = 0; n < ids.size(); ++n)
        for (std::size_t v = 0; v < onehot.cols; ++v)
            onehot(n, v) = static_cast<std::size_t>(ids[n]) == v ? 1.0F : 0.0F;
    return Status{};
}

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    if (onehot.cols != table.rows || out.rows != onehot.rows || out.cols != table.cols) return bad_shape;
    const std::size_t N = onehot.rows, V = table.rows, C = table.cols;
    for (std::size_t n = 0; n < N; ++n) {
        for (std::size_t c = 0; c < C; ++c) out(n, c) = 0.0F;
        for (std::size_t v = 0; v < V; ++v) {
            const float x = onehot(n, v);
            for (std::size_t c = 0; c < C; ++c) out(n, c) += x * table(v, c);
        }
    }
    return Status{};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return bad_shape;
    static thread_local const TokenId* last = nullptr;
    static thread_local std::size_t last_n = 0, last_v = 0;
    if (last != ids.data() || last_n != ids.size() || last_v != table.rows) {
        if (Status s = check(ids, table.rows); s.code != Code::ok) return s;
        last = ids.data(), last_n = ids.size(), last_v = table.rows;
    }
    if (table.cols == 0) return Status{};
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= table.rows)
            std::memset(out.row(n), 0, table.cols * sizeof(float));
        else
            std::memcpy(out.row(n), table.row(static_cast<std::size_t>(ids[n])), table.cols * sizeof(float));
    return Status{};
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    if (onehot.rows != dout.rows || dtable.rows != onehot.cols || dtable.cols != dout.cols) return bad_shape;
    const std::size_t N = dout.rows, V = dtable.rows, C = dtable.cols;
    for (std::size_t v = 0; v < V; ++v)
        for (std::size_t c = 0; c < C; ++c) dtable(v, c) = 0.0F;
    for (std::size_t n = 0; n < N; ++n)
        for (std::size_t v = 0; v < V; ++v) {
            const float y = onehot(n, v);
            for (std::size_t c = 0; c < C; ++c) dtable(v, c) += y * dout(n, c);
        }
    return Status{};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    if (dout.rows != ids.size() || dout.cols != dtable.cols) return bad_shape;
    if (Status s = check(ids, dtable.rows); s.code != Code::ok) return s;
    for (std::size_t n = 0; n < ids.size(); ++n)
        for (std::size_t c = 0; c < dout.cols; ++c) dtable(static_cast<std::size_t>(ids[n]), c) += dout(n, c);
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
    return Cost{.flops = 0, .selector_bytes = 4 * N, .bytes = 4 * N + 8 * N * d};
}

} // namespace exercise

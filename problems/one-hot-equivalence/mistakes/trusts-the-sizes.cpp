// mistake: trusts-the-sizes
// says: You compute as much as fits when sizes disagree: the caller has made a mistake and must hear of it.
//   Compare all sizes before anything else.
// hint: Which sizes must be equal for (N, V) times (V, C) to make sense?
// symptom: A wrong buffer goes unnoticed until much later.
// fails: sizes that do not fit are refused before the ids are looked at
#include "contract.h"

#include <algorithm>

namespace exercise {
namespace {

Status check_ids(std::span<const TokenId> ids, std::size_t V) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= V) return Status::id_out_of_range(n, ids[n], V);
    return {};
}

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    ids = ids.first(std::min(ids.size(), onehot.rows));
    if (const Status status = check_ids(ids, onehot.cols); status != Status{}) return status;
    for (std::size_t n = 0; n < ids.size(); ++n) {
        std::fill_n(onehot.row(n), onehot.cols, 0.0f);
        onehot(n, static_cast<std::size_t>(ids[n])) = 1.0f;
    }
    return {};
}

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    const std::size_t N = std::min(onehot.rows, out.rows);
    const std::size_t V = std::min(onehot.cols, table.rows);
    const std::size_t C = std::min(table.cols, out.cols);
    for (std::size_t n = 0; n < N; ++n)
        for (std::size_t c = 0; c < C; ++c) {
            float sum = 0;
            for (std::size_t v = 0; v < V; ++v)
                sum += onehot(n, v) * table(v, c);
            out(n, c) = sum;
        }
    return {};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    ids = ids.first(std::min(ids.size(), out.rows));
    const std::size_t width = std::min(out.cols, table.cols);
    if (const Status status = check_ids(ids, table.rows); status != Status{}) return status;
    for (std::size_t n = 0; n < ids.size(); ++n)
        std::copy_n(table.row(static_cast<std::size_t>(ids[n])), width, out.row(n));
    return {};
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    const std::size_t N = std::min(onehot.rows, dout.rows);
    const std::size_t V = std::min(onehot.cols, dtable.rows);
    const std::size_t C = std::min(dout.cols, dtable.cols);
    for (std::size_t v = 0; v < V; ++v)
        for (std::size_t c = 0; c < C; ++c) {
            float sum = 0;
            for (std::size_t n = 0; n < N; ++n)
                sum += onehot(n, v) * dout(n, c);
            dtable(v, c) = sum;
        }
    return {};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    ids = ids.first(std::min(ids.size(), dout.rows));
    const std::size_t width = std::min(dout.cols, dtable.cols);
    if (const Status status = check_ids(ids, dtable.rows); status != Status{}) return status;
    for (std::size_t n = 0; n < ids.size(); ++n)
        for (std::size_t c = 0; c < width; ++c)
            dtable(static_cast<std::size_t>(ids[n]), c) += dout(n, c);
    return {};
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    return {2 * N * V * d, 4 * N * V, 4 * (N * V + V * d + N * d)};
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    return {0, 4 * N, 4 * (N + 2 * N * d)};
}

} // namespace exercise

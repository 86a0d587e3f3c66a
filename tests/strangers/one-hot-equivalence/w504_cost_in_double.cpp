// wrong: counts in double so that nothing can overflow, and converts at the end: counts above 2^53 lose their last digits (N = V = d = 300,001 is off); all numbers fit into 64 bits and have to be exact.
#include "contract.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace exercise {
namespace {

std::uint64_t whole(double x) {
    return static_cast<std::uint64_t>(x);
}

Status validate(Ids ids, std::size_t vocabulary) {
    std::size_t n = 0;
    for (const TokenId id : ids) {
        if (id < 0 || static_cast<std::size_t>(id) >= vocabulary)
            return Status::id_out_of_range(n, id, vocabulary);
        ++n;
    }
    return {};
}

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    if (onehot.rows != ids.size()) return Status{Code::shape_mismatch};
    if (const Status bad = validate(ids, onehot.cols); bad != Status{}) return bad;
    for (std::size_t n = 0; n < ids.size(); ++n) {
        const std::span row(onehot.row(n), onehot.cols);
        std::ranges::fill(row, 0.0f);
        row[static_cast<std::size_t>(ids[n])] = 1.0f;
    }
    return {};
}

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    if (onehot.cols != table.rows || onehot.rows != out.rows || table.cols != out.cols)
        return Status{Code::shape_mismatch};
    for (std::size_t n = 0; n < out.rows; ++n)
        for (std::size_t c = 0; c < out.cols; ++c) {
            double sum = 0;
            for (std::size_t v = 0; v < table.rows; ++v)
                sum += static_cast<double>(onehot(n, v)) * table(v, c);
            out(n, c) = static_cast<float>(sum);
        }
    return {};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (ids.size() != out.rows || table.cols != out.cols) return Status{Code::shape_mismatch};
    if (const Status bad = validate(ids, table.rows); bad != Status{}) return bad;
    if (table.cols == 0) return {};
    for (std::size_t n = 0; n < ids.size(); ++n)
        std::copy_n(table.row(static_cast<std::size_t>(ids[n])), table.cols, out.row(n));
    return {};
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    if (onehot.rows != dout.rows || onehot.cols != dtable.rows || dout.cols != dtable.cols)
        return Status{Code::shape_mismatch};
    for (std::size_t v = 0; v < dtable.rows; ++v)
        for (std::size_t c = 0; c < dtable.cols; ++c) {
            double sum = 0;
            for (std::size_t n = 0; n < dout.rows; ++n)
                sum += static_cast<double>(onehot(n, v)) * dout(n, c);
            dtable(v, c) = static_cast<float>(sum);
        }
    return {};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    if (ids.size() != dout.rows || dout.cols != dtable.cols) return Status{Code::shape_mismatch};
    if (const Status bad = validate(ids, dtable.rows); bad != Status{}) return bad;
    if (dout.cols == 0) return {};
    for (std::size_t n = 0; n < ids.size(); ++n) {
        float* row = dtable.row(static_cast<std::size_t>(ids[n]));
        std::transform(row, row + dout.cols, dout.row(n), row, std::plus<>{});
    }
    return {};
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    const double n = static_cast<double>(N), v = static_cast<double>(V), c = static_cast<double>(d);
    return Cost{whole(2 * n * v * c), whole(4 * n * v), whole(4 * n * v + 4 * v * c + 4 * n * c)};
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    const double n = static_cast<double>(N), c = static_cast<double>(d);
    return Cost{0, whole(4 * n), whole(4 * n + 8 * n * c)};
}

} // namespace exercise

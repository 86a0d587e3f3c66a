// wrong: the two products use Kahan's compensated summation, whose correction is infinity minus infinity once a term is infinite, so an infinite entry that is hit by a 1 (or any sum that reaches infinity) comes out NaN where the sum of the products is infinite; sums of finite numbers are right.
#include "contract.h"

#include <algorithm>

namespace exercise {
namespace {

struct Compensated {
    float sum = 0;
    float lost = 0;

    void add(float term) {
        const float y = term - lost;
        const float t = sum + y;
        lost = (t - sum) - y;
        sum = t;
    }
};

Status check_ids(Ids ids, std::size_t vocabulary) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= vocabulary)
            return Status::id_out_of_range(n, ids[n], vocabulary);
    return {};
}

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    if (onehot.rows != ids.size()) return Status{Code::shape_mismatch};
    if (const Status s = check_ids(ids, onehot.cols); s.code != Code::ok) return s;
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
        for (std::size_t c = 0; c < out.cols; ++c) {
            Compensated total;
            for (std::size_t v = 0; v < table.rows; ++v)
                total.add(onehot(n, v) * table(v, c));
            out(n, c) = total.sum;
        }
    return {};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (const Status s = check_ids(ids, table.rows); s.code != Code::ok) return s;
    if (table.cols == 0) return {};
    for (std::size_t n = 0; n < ids.size(); ++n)
        std::copy_n(table.row(static_cast<std::size_t>(ids[n])), table.cols, out.row(n));
    return {};
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    if (onehot.rows != dout.rows || dtable.rows != onehot.cols || dtable.cols != dout.cols)
        return Status{Code::shape_mismatch};
    for (std::size_t v = 0; v < dtable.rows; ++v)
        for (std::size_t c = 0; c < dtable.cols; ++c) {
            Compensated total;
            for (std::size_t n = 0; n < dout.rows; ++n)
                total.add(onehot(n, v) * dout(n, c));
            dtable(v, c) = total.sum;
        }
    return {};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    if (dout.rows != ids.size() || dout.cols != dtable.cols) return Status{Code::shape_mismatch};
    if (const Status s = check_ids(ids, dtable.rows); s.code != Code::ok) return s;
    for (std::size_t n = 0; n < ids.size(); ++n)
        for (std::size_t c = 0; c < dout.cols; ++c)
            dtable(static_cast<std::size_t>(ids[n]), c) += dout(n, c);
    return {};
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    const std::uint64_t selector = 4 * N * V;
    return {2 * N * V * d, selector, selector + 4 * V * d + 4 * N * d};
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    return {0, 4 * N, 4 * N + 8 * N * d};
}

} // namespace exercise

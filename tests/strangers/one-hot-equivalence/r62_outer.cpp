// right: the product by columns of the table, both products through one lambda visitor, threads over the channels in scatter_add and transposed, joined
#include "contract.h"
#include <algorithm>
#include <thread>
#include <vector>

namespace exercise {
namespace {

// work(first, last) for a part of the columns in each of up to three threads
template <class Work>
void share(std::size_t columns, const Work& work) {
    if (columns < 6) return work(0, columns);
    const std::size_t a = columns / 3, b = 2 * columns / 3;
    std::thread one(work, 0, a), two(work, a, b);
    work(b, columns);
    one.join();
    two.join();
}

template <class Left>
void product(std::size_t terms, std::size_t rows, Left left, Matrix<const float> right, Matrix<float> out) {
    share(out.cols, [&](std::size_t first, std::size_t last) {
        for (std::size_t r = 0; r < rows; ++r) {
            std::fill(out.row(r) + first, out.row(r) + last, 0.0F);
            for (std::size_t k = terms; k-- > 0;) {
                const float x = left(r, k);
                for (std::size_t c = first; c < last; ++c)
                    out(r, c) = x * right(k, c) + out(r, c);
            }
        }
    });
}

Status verdict(bool fits, Ids ids, std::size_t V) {
    if (!fits) return Status{Code::shape_mismatch};
    std::size_t n = 0;
    while (n != ids.size() && ids[n] >= 0 && static_cast<std::size_t>(ids[n]) < V)
        ++n;
    return n == ids.size() ? Status{} : Status::id_out_of_range(n, ids[n], V);
}

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    const Status s = verdict(onehot.rows == ids.size(), ids, onehot.cols);
    if (s == Status{})
        for (std::size_t v = 0; v < onehot.cols; ++v)
            for (std::size_t n = 0; n < onehot.rows; ++n)
                onehot(n, v) = static_cast<float>(static_cast<std::size_t>(ids[n]) == v);
    return s;
}

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    if (onehot.cols != table.rows || onehot.rows != out.rows || table.cols != out.cols)
        return Status{Code::shape_mismatch};
    if (out.rows == 0 || out.cols == 0) return {};
    product(table.rows, out.rows, [=](std::size_t r, std::size_t k) { return onehot(r, k); }, table, out);
    return {};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    const Status s = verdict(out.rows == ids.size() && out.cols == table.cols, ids, table.rows);
    if (s == Status{})
        for (std::size_t c = 0; c < out.cols; ++c)
            for (std::size_t n = 0; n < out.rows; ++n)
                out(n, c) = table(static_cast<std::size_t>(ids[n]), c);
    return s;
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    if (onehot.rows != dout.rows || onehot.cols != dtable.rows || dout.cols != dtable.cols)
        return Status{Code::shape_mismatch};
    if (dtable.rows == 0 || dtable.cols == 0) return {};
    product(dout.rows, dtable.rows, [=](std::size_t r, std::size_t k) { return onehot(k, r); }, dout, dtable);
    return {};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    const Status s = verdict(dout.rows == ids.size() && dout.cols == dtable.cols, ids, dtable.rows);
    if (s != Status{}) return s;
    share(dtable.cols, [&](std::size_t first, std::size_t last) {
        for (std::size_t n = 0; n < ids.size(); ++n)
            for (std::size_t c = first; c < last; ++c)
                dtable(static_cast<std::size_t>(ids[n]), c) += dout(n, c);
    });
    return s;
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    Cost cost{.flops = 2 * N * V * d, .selector_bytes = 4 * N * V};
    cost.bytes = cost.selector_bytes + 4 * d * V + 4 * d * N;
    return cost;
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    return Cost{.flops = 0, .selector_bytes = 4 * N, .bytes = 4 * N + 8 * N * d};
}

} // namespace exercise

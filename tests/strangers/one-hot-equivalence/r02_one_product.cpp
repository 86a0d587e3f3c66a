// right: both products through one strided kernel with recursion over the summed axis
#include "contract.h"

#include <algorithm>

namespace exercise {
namespace {

struct View { // element (i, k) lies at p[i * a + k * b]
    const float* p;
    std::size_t a, b;
};

float dot(View x, std::size_t i, View y, std::size_t j, std::size_t first, std::size_t last) {
    if (last - first > 8) {
        const std::size_t middle = first + (last - first) / 2;
        return dot(x, i, y, j, first, middle) + dot(x, i, y, j, middle, last);
    }
    float sum = 0.0F;
    for (std::size_t k = first; k < last; ++k) sum += x.p[i * x.a + k * x.b] * y.p[j * y.a + k * y.b];
    return sum;
}

void product(View x, View y, std::size_t terms, Matrix<float> to) {
    for (std::size_t i = 0; i < to.rows; ++i)
        for (std::size_t j = 0; j < to.cols; ++j) to(i, j) = dot(x, i, y, j, 0, terms);
}

bool find_bad(Ids ids, std::size_t V, Status& status) {
    const auto bad = std::find_if(ids.begin(), ids.end(), [V](std::int64_t id) {
        return id < 0 || static_cast<std::uint64_t>(id) >= V;
    });
    if (bad == ids.end()) return false;
    status = Status::id_out_of_range(static_cast<std::size_t>(bad - ids.begin()), *bad, V);
    return true;
}

template <bool Fits>
constexpr Status shape = Fits ? Status{} : Status{Code::shape_mismatch};

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    Status s;
    if (ids.size() != onehot.rows) return shape<false>;
    if (find_bad(ids, onehot.cols, s)) return s;
    std::size_t n = 0;
    for (TokenId id : ids) {
        std::fill_n(onehot.row(n), onehot.cols, 0.0F);
        onehot(n++, static_cast<std::size_t>(id)) = 1.0F;
    }
    return s;
}

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    if (onehot.cols != table.rows || onehot.rows != out.rows || table.cols != out.cols) return shape<false>;
    product({onehot.data, onehot.stride, 1}, {table.data, 1, table.stride}, table.rows, out);
    return shape<true>;
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    Status s;
    if (ids.size() != out.rows || table.cols != out.cols) return shape<false>;
    if (find_bad(ids, table.rows, s)) return s;
    for (std::size_t n = 0; n < ids.size() && out.cols > 0; ++n)
        std::copy_n(table.row(static_cast<std::size_t>(ids[n])), out.cols, out.row(n));
    return s;
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    if (onehot.rows != dout.rows || onehot.cols != dtable.rows || dout.cols != dtable.cols) return shape<false>;
    product({onehot.data, 1, onehot.stride}, {dout.data, 1, dout.stride}, dout.rows, dtable);
    return shape<true>;
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    Status s;
    if (ids.size() != dout.rows || dtable.cols != dout.cols) return shape<false>;
    if (find_bad(ids, dtable.rows, s)) return s;
    for (std::size_t n = ids.size(); n > 0; --n)
        for (std::size_t c = 0; c < dout.cols; ++c) dtable(static_cast<std::size_t>(ids[n - 1]), c) += dout(n - 1, c);
    return s;
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    return {N * V * d * 2, N * V * 4, (N * V + V * d + N * d) * 4};
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    return {0, N * 4, (N + N * d + N * d) * 4};
}

} // namespace exercise

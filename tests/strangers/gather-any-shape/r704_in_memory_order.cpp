// right: visits the ids in the order of their strides (largest outermost) instead of reading order; each step also knows the number n, so the check keeps the smallest bad n over a complete pass, and rows are written out of order
#include "contract.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace exercise {

namespace {

struct Axis {
    std::size_t length = 1;
    std::size_t stride = 0;
    std::size_t weight = 0; ///< how much n grows with each step
};

template <class I>
std::array<Axis, 4> by_stride(const StridedIds<I>& ids) {
    std::array<Axis, 4> axes{};
    std::size_t weight = 1;
    for (std::size_t a = ids.rank; a-- > 0;) {
        axes[a] = {ids.shape[a], ids.stride[a], weight};
        weight *= ids.shape[a];
    }
    std::sort(axes.begin(), axes.end(), [](const Axis& x, const Axis& y) { return x.stride > y.stride; });
    return axes;
}

template <class Visit>
void visit_all(const std::array<Axis, 4>& x, const Visit& visit) {
    for (std::size_t i = 0; i < x[0].length; ++i)
        for (std::size_t j = 0; j < x[1].length; ++j)
            for (std::size_t k = 0; k < x[2].length; ++k)
                for (std::size_t l = 0; l < x[3].length; ++l)
                    visit(i * x[0].weight + j * x[1].weight + k * x[2].weight + l * x[3].weight,
                          i * x[0].stride + j * x[1].stride + k * x[2].stride + l * x[3].stride);
}

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t N = ids.count();
    if (out.rows != N || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (N == 0) return Status{};
    const std::array<Axis, 4> axes = by_stride(ids);

    std::array<Axis, 4> distinct = axes;
    for (Axis& axis : distinct)
        if (axis.stride == 0) axis.length = 1;
    std::size_t bad = N;
    I bad_id = 0;
    visit_all(distinct, [&](std::size_t n, std::size_t offset) {
        const I id = ids.data[offset];
        if ((id < 0 || static_cast<std::uint64_t>(id) >= table.rows) && n < bad) bad = n, bad_id = id;
    });
    if (bad < N) return Status::id_out_of_range(bad, bad_id, table.rows);
    if (table.cols == 0) return Status{};

    visit_all(axes, [&](std::size_t n, std::size_t offset) {
        const float* from = table.row(static_cast<std::size_t>(ids.data[offset]));
        std::copy(from, from + table.cols, out.row(n));
    });
    return Status{};
}

} // namespace

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return gather(table, ids, out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return gather(table, ids, out);
}

} // namespace exercise

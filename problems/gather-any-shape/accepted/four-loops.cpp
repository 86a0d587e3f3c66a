// accepted: pads every view to four axes and writes the four loops out; one pass finds the first bad id
// backwards
#include "contract.h"

namespace exercise {
namespace {

/// The same view with exactly four axes: the missing ones in front have length 1.
template <class I>
StridedIds<I> four_axes(const StridedIds<I>& ids) {
    StridedIds<I> view{ids.data, 4, {1, 1, 1, 1}, {0, 0, 0, 0}};
    for (std::size_t axis = 0; axis < ids.rank; ++axis) {
        view.shape[4 - ids.rank + axis] = ids.shape[axis];
        view.stride[4 - ids.rank + axis] = ids.stride[axis];
    }
    return view;
}

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& any, Matrix<float> out) {
    if (out.rows != any.count() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (out.rows == 0) return Status{};
    const StridedIds<I> ids = four_axes(any);
    const auto& [A, B, S, T] = ids.shape;
    const auto id_at = [&](std::size_t a, std::size_t b, std::size_t s, std::size_t t) -> std::int64_t {
        return ids.data[a * ids.stride[0] + b * ids.stride[1] + s * ids.stride[2] + t * ids.stride[3]];
    };
    Status status;
    for (std::size_t a = A; a-- > 0;)
        for (std::size_t b = B; b-- > 0;)
            for (std::size_t s = S; s-- > 0;)
                for (std::size_t t = T; t-- > 0;)
                    if (const std::int64_t id = id_at(a, b, s, t);
                        id < 0 || id >= static_cast<std::int64_t>(table.rows))
                        status = Status::id_out_of_range(((a * B + b) * S + s) * T + t, id, table.rows);
    if (status.code != Code::ok) return status;
    std::size_t n = 0;
    for (std::size_t a = 0; a < A; ++a)
        for (std::size_t b = 0; b < B; ++b)
            for (std::size_t s = 0; s < S; ++s)
                for (std::size_t t = 0; t < T; ++t, ++n)
                    for (std::size_t c = 0; c < table.cols; ++c)
                        out(n, c) = table(static_cast<std::size_t>(id_at(a, b, s, t)), c);
    return status;
}

} // namespace

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return gather(table, ids, out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return gather(table, ids, out);
}

} // namespace exercise

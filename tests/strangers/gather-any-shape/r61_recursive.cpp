// right: recursion over the axes with a visitor that stops early, the last axis innermost, run once to check and once to copy, rows copied backwards
#include "contract.h"

namespace exercise {

template <class I, class Visit>
bool walk(const StridedIds<I>& ids, std::size_t axis, std::size_t offset, Visit& visit) {
    if (axis == ids.rank) return visit(ids.data[offset]);
    for (std::size_t i = 0, at = offset; i != ids.shape[axis]; ++i, at += ids.stride[axis])
        if (!walk(ids, axis + 1, at, visit)) return false;
    return true;
}

template <class I>
Status gather_any(const Matrix<const float>& table, const StridedIds<I>& ids, const Matrix<float>& out) {
    if (out.cols != table.cols || out.rows != ids.count()) return Status{Code::shape_mismatch};
    if (out.rows == 0) return Status{}; // an axis of length 0, perhaps behind a very long one
    Status status;
    std::size_t n = 0;
    auto check = [&](I id) {
        // As unsigned numbers, negative ids lie above every size that a table in memory can have.
        if (id >= 0 && static_cast<std::uint64_t>(id) < static_cast<std::uint64_t>(table.rows)) {
            ++n;
            return true;
        }
        status = Status::id_out_of_range(n, static_cast<std::int64_t>(id), table.rows);
        return false;
    };
    if (!walk(ids, 0, 0, check)) return status;
    float* to = out.data;
    std::size_t done = 0;
    auto copy = [&](I id) {
        const float* from = table.data + static_cast<std::size_t>(id) * table.stride;
        for (std::size_t c = table.cols; c-- != 0;)
            to[c] = from[c];
        if (++done != out.rows) to += out.stride;
        return true;
    };
    if (table.cols != 0) walk(ids, 0, 0, copy);
    return status;
}

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return gather_any(table, ids, out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return gather_any(table, ids, out);
}

} // namespace exercise

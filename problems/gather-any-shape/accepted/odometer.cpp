// accepted: carries an index vector along like an odometer, so no division is needed
#include "contract.h"

#include <array>
#include <cstring>

namespace exercise {
namespace {

/// Visits the ids in reading order: `visit(n, id)` goes on while it returns true.
template <class I, class Visit>
void for_each_id(const StridedIds<I>& ids, Visit visit) {
    std::array<std::size_t, StridedIds<I>::max_rank> index{};
    const std::size_t count = ids.count();
    const I* at = ids.data;
    for (std::size_t n = 0; n < count; ++n) {
        if (!visit(n, *at)) return;
        if (n + 1 == count) return;
        std::size_t axis = ids.rank - 1;
        while (index[axis] + 1 == ids.shape[axis]) {
            at -= index[axis] * ids.stride[axis];
            index[axis--] = 0;
        }
        ++index[axis];
        at += ids.stride[axis];
    }
}

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    if (out.rows != ids.count() || out.cols != table.cols) return Status{Code::shape_mismatch};
    Status status;
    for_each_id(ids, [&](std::size_t n, std::int64_t id) {
        if (id < 0 || id >= static_cast<std::int64_t>(table.rows))
            status = Status::id_out_of_range(n, id, table.rows);
        return status.code == Code::ok;
    });
    if (status.code != Code::ok || table.cols == 0) return status;
    for_each_id(ids, [&](std::size_t n, std::int64_t id) {
        std::memcpy(out.row(n), table.row(static_cast<std::size_t>(id)), table.cols * sizeof(float));
        return true;
    });
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

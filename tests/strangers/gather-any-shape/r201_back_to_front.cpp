// right: goes through the ids from the last to the first with recursion over the axes, for the check (which keeps the smallest bad number) as for the copying; sizes of 1 never use their stride.
#include "contract.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace exercise {
namespace {

template <class I>
bool bad(I id, std::size_t vocabulary) {
    return id < 0 || static_cast<std::uint64_t>(id) >= vocabulary;
}

/// Calls f(n, id) for all ids of the axes from `axis` on, last one first; `end` is one past the largest n.
template <class I, class F>
void descend(const StridedIds<I>& ids, std::size_t axis, const I* data, std::size_t& end, F& f) {
    if (axis == ids.rank) {
        f(--end, *data);
        return;
    }
    for (std::size_t i = ids.shape[axis]; i-- > 0;)
        descend(ids, axis + 1, i == 0 ? data : data + i * ids.stride[axis], end, f);
}

template <class I, class F>
void backwards(const StridedIds<I>& ids, F f) {
    std::size_t end = ids.count();
    if (end != 0) descend(ids, 0, ids.data, end, f);
}

template <class I>
Status gather_any(Matrix<const float> table, StridedIds<I> ids, Matrix<float> out) {
    if (out.rows != ids.count() || out.cols != table.cols) return Status{Code::shape_mismatch};
    Status status;
    backwards(ids, [&](std::size_t n, I id) {
        if (bad(id, table.rows)) status = Status::id_out_of_range(n, id, table.rows);
    });
    if (status.code != Code::ok || table.cols == 0) return status;
    backwards(ids, [&](std::size_t n, I id) {
        const auto* from = reinterpret_cast<const unsigned char*>(table.row(static_cast<std::size_t>(id)));
        std::copy_backward(from, from + table.cols * sizeof(float),
                           reinterpret_cast<unsigned char*>(out.row(n)) + table.cols * sizeof(float));
    });
    return status;
}

} // namespace

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return gather_any(table, ids, out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return gather_any(table, ids, out);
}

} // namespace exercise

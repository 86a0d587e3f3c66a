// wrong: makes a list for the N ids before it compares the shapes, so a view of stride 0 that shows 2^40 or 2^62 ids makes it throw (bad_alloc, length_error) where the answer is shape_mismatch; a right one compares the sizes first, without memory
#include "contract.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace exercise {

namespace {

template <class I>
std::size_t offset_of(const StridedIds<I>& ids, std::size_t n) {
    std::size_t offset = 0;
    for (std::size_t axis = ids.rank; axis-- > 0;) {
        offset += n % ids.shape[axis] * ids.stride[axis];
        n /= ids.shape[axis];
    }
    return offset;
}

bool inside(std::int64_t id, std::size_t vocabulary) {
    return id >= 0 && static_cast<std::uint64_t>(id) < vocabulary;
}

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    std::vector<I> list;
    list.reserve(ids.count());
    if (out.rows != ids.count() || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t n = 0; n < out.rows; ++n) list.push_back(ids.data[offset_of(ids, n)]);

    const auto bad = std::find_if_not(list.begin(), list.end(), [&](I id) { return inside(id, table.rows); });
    if (bad != list.end())
        return Status::id_out_of_range(static_cast<std::size_t>(bad - list.begin()), *bad, table.rows);
    if (table.cols == 0) return Status{};
    std::size_t n = 0;
    for (const I id : list) std::copy_n(table.row(static_cast<std::size_t>(id)), table.cols, out.row(n++));
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

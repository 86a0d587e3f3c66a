// Fault: The product of the shape is formed in 32 bits, so a view of 2^32 + k ids is accepted with k rows.
// Origin: round 16
#include "contract.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace exercise {

namespace {

// Visits the ids of a view in reading order: an odometer whose last wheel turns fastest.
template <class I>
class Walk {
  public:
    explicit Walk(const StridedIds<I>& ids) : ids_(ids) {}

    I id() const { return ids_.data[offset_]; }

    void next() {
        for (std::size_t axis = ids_.rank; axis-- > 0;) {
            if (++digit_[axis] < ids_.shape[axis]) {
                offset_ += ids_.stride[axis];
                return;
            }
            offset_ -= (digit_[axis] - 1) * ids_.stride[axis];
            digit_[axis] = 0;
        }
    }

  private:
    const StridedIds<I>& ids_;
    std::size_t digit_[StridedIds<I>::max_rank] = {};
    std::size_t offset_ = 0;
};

template <class I>
std::uint32_t product(const StridedIds<I>& ids) {
    std::uint32_t count = 1;
    for (std::size_t axis = 0; axis < ids.rank; ++axis)
        count *= static_cast<std::uint32_t>(ids.shape[axis]);
    return count;
}

template <class I>
bool outside(I id, std::size_t vocabulary) {
    return id < 0 || static_cast<std::uint64_t>(id) >= vocabulary;
}

template <class I>
Status gather(const Matrix<const float>& table, const StridedIds<I>& ids, const Matrix<float>& out) {
    const std::size_t count = product(ids);
    if (out.rows != count || out.cols != table.cols) return {Code::shape_mismatch};

    Walk<I> check(ids);
    for (std::size_t n = 0; n < count; ++n, check.next()) {
        const I id = check.id();
        if (outside(id, table.rows)) return Status::id_out_of_range(n, id, table.rows);
    }

    if (table.cols == 0) return {};
    Walk<I> copy(ids);
    for (std::size_t n = 0; n < count; ++n, copy.next())
        std::memcpy(out.row(n), table.row(static_cast<std::size_t>(copy.id())), table.cols * sizeof(float));
    return {};
}

} // namespace

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return gather(table, ids, out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return gather(table, ids, out);
}

} // namespace exercise

// wrong: counts the offset of an id within the view in 32 unsigned bits (offsets into the table are 64 bits wide), so it wraps where an id lies 2^32 elements or more behind `data`; a right one keeps the offsets of ids in 64 bits too
#include "contract.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace exercise {

namespace {

/// Goes through the ids of a view in reading order.
template <class I>
class Odometer {
  public:
    explicit Odometer(const StridedIds<I>& ids) : ids_(ids) {}

    I id() const { return ids_.data[offset_]; }

    void step() {
        for (std::size_t axis = ids_.rank; axis-- > 0;) {
            const auto stride = static_cast<std::uint32_t>(ids_.stride[axis]);
            offset_ += stride;
            if (++index_[axis] < ids_.shape[axis]) return;
            offset_ -= stride * static_cast<std::uint32_t>(ids_.shape[axis]);
            index_[axis] = 0;
        }
    }

  private:
    const StridedIds<I>& ids_;
    std::array<std::size_t, 4> index_{};
    std::uint32_t offset_ = 0;
};

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t N = ids.count();
    if (out.rows != N || out.cols != table.cols) return Status{Code::shape_mismatch};
    Odometer<I> check(ids);
    for (std::size_t n = 0; n < N; ++n, check.step())
        if (const I id = check.id(); id < 0 || static_cast<std::uint64_t>(id) >= table.rows)
            return Status::id_out_of_range(n, id, table.rows);
    if (table.cols == 0) return Status{};
    Odometer<I> copy(ids);
    for (std::size_t n = 0; n < N; ++n, copy.step())
        std::copy_n(table.row(static_cast<std::size_t>(copy.id())), table.cols, out.row(n));
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

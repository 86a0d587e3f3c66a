// wrong: the offset of an id is counted in 32 bits (the offset into the table is not): a view whose ids lie 2^32 elements or more behind `data` (shape (2), stride 2^32, sparse memory) reads at the offset modulo 2^32, where a right one counts offsets in 64 bits.
#include "contract.h"

#include <cstring>

namespace exercise {

namespace {

template <class I>
class Walk { // the ids in reading order
  public:
    explicit Walk(const StridedIds<I>& ids) : ids_(ids) {}

    std::int64_t id() const { return ids_.data[offset_]; }

    void next() {
        for (std::size_t axis = ids_.rank; axis-- > 0;) {
            offset_ += static_cast<std::uint32_t>(ids_.stride[axis]);
            if (++index_[axis] < ids_.shape[axis]) return;
            offset_ -= static_cast<std::uint32_t>(ids_.stride[axis] * ids_.shape[axis]);
            index_[axis] = 0;
        }
    }

  private:
    const StridedIds<I>& ids_;
    std::size_t index_[StridedIds<I>::max_rank] = {};
    std::uint32_t offset_ = 0;
};

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t N = ids.count();
    if (out.rows != N || out.cols != table.cols) return Status{Code::shape_mismatch};

    Walk<I> check(ids);
    for (std::size_t n = 0; n < N; ++n, check.next())
        if (check.id() < 0 || static_cast<std::uint64_t>(check.id()) >= table.rows)
            return Status::id_out_of_range(n, check.id(), table.rows);

    if (table.cols == 0) return Status{};
    Walk<I> walk(ids);
    for (std::size_t n = 0; n < N; ++n, walk.next())
        std::memcpy(out.row(n), table.row(static_cast<std::size_t>(walk.id())), table.cols * sizeof(float));
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

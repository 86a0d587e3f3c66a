// wrong: the offset of a table row is a product of two 32-bit unsigned numbers, so rows that begin 2^32 or more elements after row 0 (large V * stride) are read from a wrong place; a right one multiplies in 64 bits.
#include "contract.h"

#include <algorithm>

namespace exercise {
namespace {

using Index = unsigned; // "ids are never negative once they are checked"

template <class I>
class Reader {
  public:
    explicit Reader(const StridedIds<I>& view) : view_(view), total_(view.count()) {}

    std::size_t size() const { return total_; }

    I operator[](std::size_t n) const {
        std::size_t offset = 0;
        for (std::size_t axis = view_.rank; axis-- > 0;) {
            offset += n % view_.shape[axis] * view_.stride[axis];
            n /= view_.shape[axis];
        }
        return view_.data[offset];
    }

  private:
    StridedIds<I> view_;
    std::size_t total_;
};

template <class I>
Status gather(const Matrix<const float>& table, const StridedIds<I>& view, const Matrix<float>& out) {
    const Reader<I> ids(view);
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};

    for (std::size_t n = 0; n < ids.size(); ++n) {
        const auto id = static_cast<std::int64_t>(ids[n]);
        if (id < 0 || static_cast<std::uint64_t>(id) >= table.rows)
            return Status::id_out_of_range(n, id, table.rows);
    }
    if (table.cols == 0) return {};

    const Index pitch = static_cast<Index>(table.stride);
    for (std::size_t n = 0; n < ids.size(); ++n) {
        const Index row = static_cast<Index>(ids[n]);
        const float* from = table.data + row * pitch;
        std::copy(from, from + table.cols, out.row(n));
    }
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

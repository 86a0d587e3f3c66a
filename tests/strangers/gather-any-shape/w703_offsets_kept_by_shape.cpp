// wrong: keeps the list of offsets of the last call (up to 4,096 ids) and uses it again if rank and shape are the same, without comparing the strides; shows in a call with the shape of the call before and other strides; a right one follows the strides of its own view
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

class Offsets {
  public:
    template <class I>
    const std::vector<std::size_t>& of(const StridedIds<I>& ids) {
        const std::vector<std::size_t> shape(ids.shape, ids.shape + ids.rank);
        if (!filled_ || shape != shape_) {
            offsets_.resize(ids.count());
            for (std::size_t n = 0; n < offsets_.size(); ++n) offsets_[n] = offset_of(ids, n);
            shape_ = shape;
            filled_ = true;
        }
        return offsets_;
    }

  private:
    bool filled_ = false;
    std::vector<std::size_t> shape_;
    std::vector<std::size_t> offsets_;
};

Offsets remembered;

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t N = ids.count();
    if (out.rows != N || out.cols != table.cols) return Status{Code::shape_mismatch};
    const std::size_t* known = N <= 4096 ? remembered.of(ids).data() : nullptr;
    const auto id_number = [&](std::size_t n) { return ids.data[known ? known[n] : offset_of(ids, n)]; };
    for (std::size_t n = 0; n < N; ++n)
        if (const I id = id_number(n); !inside(id, table.rows)) return Status::id_out_of_range(n, id, table.rows);
    if (table.cols == 0) return Status{};
    for (std::size_t n = 0; n < N; ++n)
        std::copy_n(table.row(static_cast<std::size_t>(id_number(n))), table.cols, out.row(n));
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

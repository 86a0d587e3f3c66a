// wrong: checks a repeated axis (stride 0) once and counts only the ids it looked at; where such an axis lies inside another one, a bad id is reported with a number that is too small, e.g. shape (3, 2) with strides (1, 0) and the third id bad: 2 instead of 4; a right one counts the repetitions
#include "contract.h"

#include <algorithm>

namespace exercise {
namespace {

template <class I>
class Gather {
  public:
    Gather(const Matrix<const float>& table, const StridedIds<I>& ids, const Matrix<float>& out)
        : table_(table), ids_(ids), out_(out) {
        // rows_[a]: rows of the output between neighbours along axis a
        std::size_t rows = 1;
        for (std::size_t a = ids.rank; a-- > 0;) {
            rows_[a] = rows;
            rows *= ids.shape[a];
        }
        total_ = rows;
    }

    Status operator()() {
        if (out_.rows != total_ || out_.cols != table_.cols) return Status{Code::shape_mismatch};
        if (total_ == 0) return {};
        Status found;
        std::size_t seen = 0;
        if (bad(0, seen, 0, found)) return found;
        if (table_.cols > 0) fill(0, 0, 0);
        return {};
    }

  private:
    // What repeats need not be checked again.
    bool bad(std::size_t axis, std::size_t& seen, std::size_t offset, Status& found) const {
        if (axis == ids_.rank) {
            const I id = ids_.data[offset];
            const std::size_t n = seen++;
            if (id >= 0 && static_cast<std::make_unsigned_t<I>>(id) < table_.rows) return false;
            found = Status::id_out_of_range(n, id, table_.rows);
            return true;
        }
        const std::size_t different = ids_.stride[axis] == 0 ? 1 : ids_.shape[axis];
        for (std::size_t i = 0; i < different; ++i)
            if (bad(axis + 1, seen, offset + i * ids_.stride[axis], found)) return true;
        return false;
    }

    void fill(std::size_t axis, std::size_t n, std::size_t offset) const {
        if (axis == ids_.rank) {
            std::copy_n(table_.row(static_cast<std::size_t>(ids_.data[offset])), table_.cols, out_.row(n));
            return;
        }
        const bool repeats = ids_.stride[axis] == 0;
        for (std::size_t i = 0; i < (repeats ? 1 : ids_.shape[axis]); ++i)
            fill(axis + 1, n + i * rows_[axis], offset + i * ids_.stride[axis]);
        if (!repeats) return;
        for (std::size_t r = rows_[axis]; r < ids_.shape[axis] * rows_[axis]; ++r)
            std::copy_n(out_.row(n + r - rows_[axis]), out_.cols, out_.row(n + r));
    }

    const Matrix<const float>& table_;
    const StridedIds<I>& ids_;
    const Matrix<float>& out_;
    std::size_t rows_[StridedIds<I>::max_rank] = {};
    std::size_t total_ = 1;
};

} // namespace

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return Gather<std::int32_t>(table, ids, out)();
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return Gather<std::int64_t>(table, ids, out)();
}

} // namespace exercise

// Fault: The merged axes of a view are cached by shape and stride of all four axes, but not by rank.
// Origin: round 21
#include "contract.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace exercise {

namespace {

template <class I>
bool inside(I id, std::size_t vocabulary) {
    return id >= 0 && static_cast<std::uint64_t>(id) < vocabulary;
}

/// The axes of a view, the last one first, without those of length 1, neighbours merged where one goes on
/// where the other ends. Without ids behind it, it holds for every view of this layout.
template <class I>
struct Plan {
    static constexpr std::size_t axes = StridedIds<I>::max_rank;
    StridedIds<I> of;
    std::size_t length[axes] = {1, 1, 1, 1};
    std::size_t step[axes] = {};

    Plan() = default;
    explicit Plan(const StridedIds<I>& ids) : of(ids) {
        std::size_t used = 0;
        for (std::size_t axis = ids.rank; axis-- > 0;) {
            if (ids.shape[axis] == 1) continue;
            if (used > 0 && ids.stride[axis] == length[used - 1] * step[used - 1]) {
                length[used - 1] *= ids.shape[axis];
                continue;
            }
            length[used] = ids.shape[axis];
            step[used] = ids.stride[axis];
            ++used;
        }
    }

    bool fits(const StridedIds<I>& ids) const {
        return std::equal(ids.shape, ids.shape + axes, of.shape) &&
               std::equal(ids.stride, ids.stride + axes, of.stride);
    }

    /// Calls `visit(n, id)` for each id in reading order until it says false.
    template <class Visit>
    void walk(const I* data, Visit visit) const {
        std::size_t n = 0;
        for (std::size_t a = 0; a < length[3]; ++a)
            for (std::size_t b = 0; b < length[2]; ++b)
                for (std::size_t c = 0; c < length[1]; ++c) {
                    const I* id = data + a * step[3] + b * step[2] + c * step[1];
                    for (std::size_t d = 0; d < length[0]; ++d, ++n)
                        if (!visit(n, id[d * step[0]])) return;
                }
    }
};

template <class I>
thread_local Plan<I> last;

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t count = ids.count();
    if (out.rows != count || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (count == 0) return Status{};

    if (!last<I>.fits(ids)) last<I> = Plan<I>(ids);
    const Plan<I>& plan = last<I>;
    Status status;
    plan.walk(ids.data, [&](std::size_t n, I id) {
        if (inside(id, table.rows)) return true;
        status = Status::id_out_of_range(n, id, table.rows);
        return false;
    });
    if (status.code != Code::ok || table.cols == 0) return status;
    plan.walk(ids.data, [&](std::size_t n, I id) {
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

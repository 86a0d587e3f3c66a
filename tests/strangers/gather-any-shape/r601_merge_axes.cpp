// right: simplifies the view first (drops axes of length 1, joins axes that lie evenly), then walks runs of the last axis recursively; the check and the copy are two visitors
#include "contract.h"

#include <algorithm>
#include <cstring>

namespace exercise {
namespace {

struct Axis {
    std::size_t length, step;
};

template <class Visit>
bool walk(const Axis* axis, std::size_t left, std::size_t offset, const Visit& visit) {
    if (left == 1) return visit(offset, axis->length, axis->step);
    for (std::size_t i = 0; i < axis->length; ++i)
        if (!walk(axis + 1, left - 1, offset + i * axis->step, visit)) return false;
    return true;
}

template <class I>
Status lookup(const Matrix<const float>& table, const StridedIds<I>& ids, const Matrix<float>& out) noexcept {
    const std::size_t n_ids = ids.count();
    if (out.rows != n_ids || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (n_ids == 0) return Status{};

    Axis axes[StridedIds<I>::max_rank + 1];
    std::size_t used = 0;
    for (std::size_t a = 0; a < ids.rank; ++a) {
        if (ids.shape[a] == 1) continue;
        if (used > 0 && axes[used - 1].step == ids.shape[a] * ids.stride[a]) {
            axes[used - 1].length *= ids.shape[a];
            axes[used - 1].step = ids.stride[a];
        } else {
            axes[used++] = {ids.shape[a], ids.stride[a]};
        }
    }
    if (used == 0) axes[used++] = {1, 1};

    Status verdict;
    std::size_t n = 0;
    const auto check = [&](std::size_t offset, std::size_t length, std::size_t step) {
        for (std::size_t i = 0; i < length; ++i, ++n) {
            const std::int64_t id = ids.data[offset + i * step];
            if (id < 0 || static_cast<std::uint64_t>(id) >= table.rows) {
                verdict = Status::id_out_of_range(n, id, table.rows);
                return false;
            }
        }
        return true;
    };
    if (!walk(axes, used, 0, check)) return verdict;
    if (table.cols == 0) return verdict;

    n = 0;
    const auto copy = [&](std::size_t offset, std::size_t length, std::size_t step) {
        for (std::size_t i = 0; i < length; ++i, ++n)
            std::memcpy(out.data + n * out.stride,
                        table.data + static_cast<std::size_t>(ids.data[offset + i * step]) * table.stride,
                        table.cols * sizeof(float));
        return true;
    };
    walk(axes, used, 0, copy);
    return verdict;
}

} // namespace

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return lookup(table, ids, out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return lookup(table, ids, out);
}

} // namespace exercise

// wrong: visits ids with do ... while, so it looks at data[0] also where an axis has length 0 (null pointer: crash; otherwise a refusal, or a row written to an output of no rows); a right one returns Status{} there
#include "contract.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace exercise {

namespace {

template <class I, class Visit>
bool for_each_id(const StridedIds<I>& ids, Visit visit) {
    std::array<std::size_t, 4> index{};
    std::size_t n = 0;
    std::size_t axis = 0;
    do {
        std::size_t offset = 0;
        for (std::size_t a = 0; a < ids.rank; ++a) offset += index[a] * ids.stride[a];
        if (!visit(n++, ids.data[offset])) return false;
        axis = ids.rank;
        while (axis > 0 && ++index[axis - 1] >= ids.shape[axis - 1]) index[--axis] = 0;
    } while (axis > 0);
    return true;
}

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    if (out.rows != ids.count() || out.cols != table.cols) return Status{Code::shape_mismatch};
    Status status;
    const bool good = for_each_id(ids, [&](std::size_t n, I id) {
        if (id >= 0 && static_cast<std::uint64_t>(id) < table.rows) return true;
        status = Status::id_out_of_range(n, id, table.rows);
        return false;
    });
    if (!good || table.cols == 0) return status;
    for_each_id(ids, [&](std::size_t n, I id) {
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

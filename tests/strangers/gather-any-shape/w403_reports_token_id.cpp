// wrong: gather64 compares the ids in 64 bits but keeps the offending one as a TokenId (32 bits) for the report; for a bad id outside 32 bits (2^32 + 2) the status holds its lower half (2), where a right one holds the id itself. gather32 is right.
#include "contract.h"

#include <cstring>

namespace exercise {

namespace {

struct Offender {
    bool found = false;
    std::size_t n = 0;
    TokenId id = 0;
};

template <class I>
std::size_t offset_of(const StridedIds<I>& ids, std::size_t n) {
    std::size_t offset = 0;
    for (std::size_t axis = ids.rank; axis-- > 0; n /= ids.shape[axis])
        offset += n % ids.shape[axis] * ids.stride[axis];
    return offset;
}

template <class I>
Offender find_offender(const StridedIds<I>& ids, std::size_t N, std::size_t V) {
    Offender offender;
    for (std::size_t n = 0; n < N && !offender.found; ++n) {
        const I id = ids.data[offset_of(ids, n)];
        if (id < 0 || static_cast<std::size_t>(id) >= V) {
            offender.found = true;
            offender.n = n;
            offender.id = id;
        }
    }
    return offender;
}

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t N = ids.count();
    if (out.rows != N || out.cols != table.cols) return Status{Code::shape_mismatch};
    const Offender offender = find_offender(ids, N, table.rows);
    if (offender.found) return Status::id_out_of_range(offender.n, offender.id, table.rows);
    if (table.cols == 0) return Status{};
    for (std::size_t n = 0; n < N; ++n)
        std::memcpy(out.row(n), table.row(static_cast<std::size_t>(ids.data[offset_of(ids, n)])),
                    table.cols * sizeof(float));
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

// Fault: Checked ids are kept in 16 bits if V <= 65,537, one too many.
// Origin: round 11
#include "contract.h"

#include <cstring>
#include <vector>

namespace exercise {

// Reads the ids in reading order into `rows`; the first bad one ends it.
template <class Row, class I>
static Status collect(const StridedIds<I>& ids, std::size_t vocabulary, std::vector<Row>& rows) {
    const std::size_t count = ids.count();
    rows.resize(count);
    for (std::size_t n = 0; n < count; ++n) {
        std::size_t offset = 0, rest = n;
        for (std::size_t a = ids.rank; a-- > 0; rest /= ids.shape[a])
            offset += rest % ids.shape[a] * ids.stride[a];
        const std::int64_t id = ids.data[offset];
        if (id < 0 || static_cast<std::uint64_t>(id) >= vocabulary)
            return Status::id_out_of_range(n, id, vocabulary);
        rows[n] = static_cast<Row>(id);
    }
    return Status{};
}

template <class Row>
static void copy(Matrix<const float> table, const std::vector<Row>& rows, Matrix<float> out) {
    if (table.cols == 0) return;
    for (std::size_t n = 0; n < rows.size(); ++n)
        std::memcpy(out.row(n), table.row(rows[n]), table.cols * sizeof(float));
}

template <class Row, class I>
static Status with(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    std::vector<Row> rows;
    const Status status = collect(ids, table.rows, rows);
    if (status.code == Code::ok) copy(table, rows, out);
    return status;
}

template <class I>
static Status lookup(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    if (out.rows != ids.count() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (table.rows <= 65537) return with<std::uint16_t>(table, ids, out); // half the memory of int
    return with<std::size_t>(table, ids, out);
}

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return lookup(table, ids, out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return lookup(table, ids, out);
}

} // namespace exercise

// wrong: tests 0 <= id < V with one unsigned comparison; a negative id passes where V > 2^63, which a table without columns can have (V = 2^64 - 1 and id -2); a right one refuses every negative id
#include "contract.h"

#include <cstring>

namespace exercise {

template <class I>
static Status lookup(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t count = ids.count();
    if (out.rows != count || out.cols != table.cols) return Status{Code::shape_mismatch};
    std::size_t index[4], offset;
    const auto rewind = [&] {
        for (std::size_t& i : index)
            i = 0;
        offset = 0;
    };
    const auto next = [&] {
        std::size_t a = ids.rank;
        while (a-- > 0) {
            offset += ids.stride[a];
            if (++index[a] != ids.shape[a]) return;
            offset -= ids.shape[a] * ids.stride[a];
            index[a] = 0;
        }
    };

    rewind();
    for (std::size_t n = 0; n < count; ++n, next()) {
        const std::int64_t id = ids.data[offset];
        if (static_cast<std::uint64_t>(id) >= table.rows) // negative numbers are huge as unsigned
            return Status::id_out_of_range(n, id, table.rows);
    }
    if (table.cols == 0) return {};
    rewind();
    for (std::size_t n = 0; n < count; ++n, next())
        std::memcpy(out.row(n), table.row(static_cast<std::size_t>(ids.data[offset])), table.cols * sizeof(float));
    return {};
}

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return lookup(table, ids, out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return lookup(table, ids, out);
}

} // namespace exercise

// wrong: along an axis longer than 65,536 the index starts again at 0 after 65,536 ids, so ids from there on are wrong
#include "contract.h"
#include <algorithm>
#include <array>

namespace exercise {
template <class I>
Status gather(Matrix<const float> table, StridedIds<I> ids, Matrix<float> out) {
    const std::size_t N = ids.count();
    if (out.rows != N || out.cols != table.cols) return Status{Code::shape_mismatch};
    std::array<std::uint16_t, 4> index{};
    auto walk = [&](auto&& visit) {
        index.fill(0);
        for (std::size_t n = 0; n < N; ++n) {
            std::size_t o = 0;
            for (std::size_t a = 0; a < ids.rank; ++a) o += index[a] * ids.stride[a];
            if (!visit(n, ids.data[o])) return;
            for (std::size_t a = ids.rank; a-- > 0;) {
                if (++index[a] < ids.shape[a]) break;
                index[a] = 0;
            }
        }
    };
    Status status;
    walk([&](std::size_t n, I id) {
        if (id >= 0 && static_cast<std::uint64_t>(id) < table.rows) return true;
        status = Status::id_out_of_range(n, id, table.rows);
        return false;
    });
    if (!(status == Status{})) return status;
    walk([&](std::size_t n, I id) { std::copy_n(table.row(static_cast<std::size_t>(id)), table.cols, out.row(n)); return true; });
    return status;
}

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) { return gather(table, ids, out); }
Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) { return gather(table, ids, out); }
} // namespace exercise

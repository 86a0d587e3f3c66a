// wrong: from 2^15 ids on, the ids are walked in 4 chunks whose first position is decoded from the last two axes only, so with three or four axes chunks 2 to 4 read wrong ids
#include "contract.h"
#include <algorithm>
#include <array>

namespace exercise {
template <class I>
Status gather(Matrix<const float> table, StridedIds<I> ids, Matrix<float> out) {
    const std::size_t N = ids.count();
    if (out.rows != N || out.cols != table.cols) return Status{Code::shape_mismatch};
    auto walk = [&](std::size_t from, std::size_t to, auto&& visit) {
        std::array<std::size_t, 4> ix{};
        std::size_t rest = from;
        for (std::size_t a = ids.rank, k = 0; a-- > 0 && k < 2 && from; ++k) { ix[a] = rest % ids.shape[a]; rest /= ids.shape[a]; }
        for (std::size_t n = from; n < to; ++n) {
            std::size_t o = 0;
            for (std::size_t a = 0; a < ids.rank; ++a) o += ix[a] * ids.stride[a];
            if (!visit(n, ids.data[o])) return false;
            for (std::size_t a = ids.rank; a-- > 0; ix[a] = 0)
                if (++ix[a] < ids.shape[a]) break;
        }
        return true;
    };
    const std::size_t chunk = N >= (std::size_t{1} << 15) ? (N + 3) / 4 : N;
    Status s;
    for (std::size_t f = 0; f < N; f += chunk)
        if (!walk(f, std::min(N, f + chunk), [&](std::size_t n, I id) {
                const bool good = id >= 0 && static_cast<std::uint64_t>(id) < table.rows;
                if (!good) s = Status::id_out_of_range(n, id, table.rows);
                return good;
            })) return s;
    for (std::size_t f = 0; f < N; f += chunk)
        walk(f, std::min(N, f + chunk), [&](std::size_t n, I id) { std::copy_n(table.row(static_cast<std::size_t>(id)), table.cols, out.row(n)); return true; });
    return s;
}

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) { return gather(table, ids, out); }
Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) { return gather(table, ids, out); }
} // namespace exercise

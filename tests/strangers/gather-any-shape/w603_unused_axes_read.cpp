// wrong: always loops over four axes and takes an axis that is not in use as length 1 only if its shape holds 0 or 1; shows where shape holds something else at or beyond rank (reads too many ids, writes past out); a right one ignores those entries
#include "contract.h"

#include <algorithm>

namespace exercise {

template <class I>
static Status lookup(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t count = ids.count();
    if (out.rows != count || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (count == 0) return Status{};

    std::size_t s[4];
    for (std::size_t a = 0; a < 4; ++a)
        s[a] = std::max<std::size_t>(ids.shape[a], 1); // unused axes have one index
    const std::size_t* d = ids.stride;

    for (int pass = 0; pass < 2; ++pass) {
        std::size_t n = 0;
        for (std::size_t i = 0; i < s[0]; ++i)
            for (std::size_t j = 0; j < s[1]; ++j)
                for (std::size_t k = 0; k < s[2]; ++k)
                    for (std::size_t l = 0; l < s[3]; ++l, ++n) {
                        const std::int64_t id = ids.data[i * d[0] + j * d[1] + k * d[2] + l * d[3]];
                        if (pass == 0) {
                            if (id < 0 || static_cast<std::uint64_t>(id) >= table.rows)
                                return Status::id_out_of_range(n, id, table.rows);
                        } else {
                            for (std::size_t c = 0; c < table.cols; ++c)
                                out(n, c) = table(static_cast<std::size_t>(id), c);
                        }
                    }
    }
    return Status{};
}

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return lookup(table, ids, out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return lookup(table, ids, out);
}

} // namespace exercise

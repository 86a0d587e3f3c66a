// wrong: with rank < 4 the axes behind rank count as axes of the view if their shape entry is greater than 1, so ids are repeated or read elsewhere
#include "contract.h"
#include <algorithm>

namespace exercise {
template <class I>
Status gather(Matrix<const float> table, StridedIds<I> ids, Matrix<float> out) {
    const std::size_t N = ids.count();
    if (out.rows != N || out.cols != table.cols) return Status{Code::shape_mismatch};
    std::size_t s[4], d[4];
    for (int a = 0; a < 4; ++a) {
        s[a] = ids.shape[a] > 1 || static_cast<std::size_t>(a) < ids.rank ? ids.shape[a] : 1;
        d[a] = ids.stride[a];
    }
    std::size_t n = 0;
    for (int pass = 0; pass < 2; ++pass) {
        n = 0;
        for (std::size_t i = 0; i < s[0]; ++i)
            for (std::size_t j = 0; j < s[1]; ++j)
                for (std::size_t k = 0; k < s[2]; ++k)
                    for (std::size_t l = 0; l < s[3] && n < N; ++l, ++n) {
                        const I id = ids.data[i * d[0] + j * d[1] + k * d[2] + l * d[3]];
                        if (pass == 0) {
                            if (id < 0 || static_cast<std::uint64_t>(id) >= table.rows) return Status::id_out_of_range(n, id, table.rows);
                        } else std::copy_n(table.row((std::size_t)id), table.cols, out.row(n));
                    }
    }
    return {};
}

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) { return gather(table, ids, out); }
Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) { return gather(table, ids, out); }
} // namespace exercise

// wrong: gather64 narrows an id to 32 bits before the check, so 2^32 + 2 is taken for 2 instead of being refused
#include "contract.h"
#include <algorithm>
#include <vector>

namespace exercise {
template <class I>
std::size_t place(const StridedIds<I>& v, std::size_t n) {
    std::size_t o = 0;
    for (std::size_t a = v.rank; a-- > 0;) {
        o += n % v.shape[a] * v.stride[a];
        n /= v.shape[a];
    }
    return o;
}

Status core(Matrix<const float> table, const std::vector<int>& flat, Matrix<float> out) {
    if (out.rows != flat.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t n = 0; n < flat.size(); ++n)
        if (flat[n] < 0 || (std::size_t)flat[n] >= table.rows) return Status::id_out_of_range(n, flat[n], table.rows);
    for (std::size_t n = 0; n < flat.size(); ++n) std::copy_n(table.row(flat[n]), table.cols, out.row(n));
    return {};
}
template <class I>
Status gather(Matrix<const float> table, StridedIds<I> ids, Matrix<float> out) {
    std::vector<int> flat(ids.count());
    for (std::size_t n = 0; n < flat.size(); ++n) flat[n] = static_cast<int>(ids.data[place(ids, n)]);
    return core(table, flat, out);
}

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) { return gather(table, ids, out); }
Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) { return gather(table, ids, out); }
} // namespace exercise

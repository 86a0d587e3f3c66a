#include "contract.h"

namespace exercise {

// One template can serve both widths: template <class I> Status gather(..., const StridedIds<I>& ids, ...).

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    (void)table, (void)ids, (void)out; // take this line away when you begin
    not_implemented("gather32");
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    (void)table, (void)ids, (void)out;
    not_implemented("gather64");
}

} // namespace exercise

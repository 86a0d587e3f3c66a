// wrong: gather64 squeezes the ids into 32 bits, those that do not fit become the nearest int32; a bad id such as 2^40 or -2^40 is refused at the right place, but with value 2^31 - 1 or -2^31; a right one reports the id itself
#include "contract.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace exercise {

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    const std::size_t count = ids.count();
    if (out.rows != count || out.cols != table.cols) return Status{Code::shape_mismatch};
    const auto at = [&ids](std::size_t n) {
        std::size_t offset = 0;
        for (std::size_t a = ids.rank; a-- > 0; n /= ids.shape[a])
            offset += n % ids.shape[a] * ids.stride[a];
        return ids.data[offset];
    };
    for (std::size_t n = 0; n < count; ++n)
        if (at(n) < 0 || static_cast<std::size_t>(at(n)) >= table.rows)
            return Status::id_out_of_range(n, at(n), table.rows);
    if (table.cols == 0) return Status{};
    for (std::size_t n = 0; n < count; ++n)
        std::copy_n(table.row(static_cast<std::size_t>(at(n))), table.cols, out.row(n));
    return Status{};
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    const std::size_t count = ids.count();
    if (out.rows != count || out.cols != table.cols) return Status{Code::shape_mismatch};

    std::vector<std::int32_t> narrow(count);
    for (std::size_t n = 0; n < count; ++n) {
        std::size_t offset = 0, rest = n;
        for (std::size_t a = ids.rank; a-- > 0; rest /= ids.shape[a])
            offset += rest % ids.shape[a] * ids.stride[a];
        // never wraps: what does not fit stays out of range
        narrow[n] = static_cast<std::int32_t>(
            std::clamp<std::int64_t>(ids.data[offset], std::numeric_limits<std::int32_t>::min(),
                                     std::numeric_limits<std::int32_t>::max()));
    }
    StridedIds<std::int32_t> dense;
    dense.data = narrow.data();
    dense.rank = 1;
    dense.shape[0] = count;
    dense.stride[0] = 1;
    return gather32(table, dense, out);
}

} // namespace exercise

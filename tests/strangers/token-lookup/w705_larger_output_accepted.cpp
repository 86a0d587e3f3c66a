// wrong: accepts an output with more than T rows and fills its first T (a scratch buffer is often too large); a right one refuses every output whose number of rows is not T
#include "contract.h"

#include <algorithm>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows < ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);
    if (table.cols == 0) return Status{};
    float* to = out.data;
    for (const TokenId id : ids) {
        std::copy_n(table.row(static_cast<std::size_t>(id)), table.cols, to);
        if (&id != &ids.back()) to += out.stride;
    }
    return Status{};
}

} // namespace exercise

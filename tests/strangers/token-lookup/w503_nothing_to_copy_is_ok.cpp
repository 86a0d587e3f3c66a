// wrong: returns success as soon as the output has no elements, so with C = 0 a bad id is not refused; refusals do not depend on whether there is work to do.
#include "contract.h"

#include <algorithm>
#include <cstdint>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (out.rows * out.cols == 0) return {};

    const auto bad = std::find_if(ids.begin(), ids.end(), [&](std::int64_t id) {
        return id < 0 || id >= static_cast<std::int64_t>(table.rows);
    });
    if (bad != ids.end())
        return Status::id_out_of_range(static_cast<std::size_t>(bad - ids.begin()), *bad, table.rows);

    float* target = out.data;
    for (const TokenId id : ids) {
        const float* source = table.row(static_cast<std::size_t>(id));
        std::copy(source, source + table.cols, target);
        target += out.stride;
    }
    return {};
}

} // namespace exercise

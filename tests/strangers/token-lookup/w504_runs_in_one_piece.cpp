// wrong: copies a run of consecutive ids (4 5 6) in one piece where both strides are equal, with the table's padding between the rows, which overwrites the padding of `out` if the stride is larger than C; a right one leaves padding as it was.
#include "contract.h"

#include <cstring>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    const std::size_t count = ids.size();
    if (out.rows != count || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t i = 0; i < count; ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);
    if (table.cols == 0) return {};

    const bool same_layout = table.stride == out.stride;
    std::size_t i = 0;
    while (i < count) {
        std::size_t run = 1;
        if (same_layout)
            while (i + run < count && ids[i + run] == ids[i + run - 1] + 1)
                ++run;
        const std::size_t elements = (run - 1) * out.stride + out.cols;
        std::memcpy(out.row(i), table.row(static_cast<std::size_t>(ids[i])), elements * sizeof(float));
        i += run;
    }
    return {};
}

} // namespace exercise

// wrong: moves a run of consecutive ids (5 6 7) with one memcpy where table and output have the same stride, and with it copies the table's padding into that of the output between the rows of the run; shows where both strides are equal and larger than C; a right one leaves padding as it was
#include "contract.h"

#include <cstdint>
#include <cstring>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    const std::size_t T = ids.size();
    const std::size_t C = table.cols;
    if (out.rows != T || out.cols != C) return Status{Code::shape_mismatch};
    for (std::size_t i = 0; i < T; ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);
    if (C == 0) return Status{};

    const bool same_layout = table.stride == out.stride;
    std::size_t i = 0;
    while (i < T) {
        std::size_t run = 1;
        while (same_layout && i + run < T && static_cast<std::int64_t>(ids[i + run]) == ids[i] + std::int64_t(run))
            ++run;
        const std::size_t elements = (run - 1) * table.stride + C;
        std::memcpy(out.row(i), table.row(static_cast<std::size_t>(ids[i])), elements * sizeof(float));
        i += run;
    }
    return Status{};
}

} // namespace exercise

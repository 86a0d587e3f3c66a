// wrong: compares the numbers of values, T * C with rows * cols of the output, so it accepts an output (C, T), or any empty one where T or C is 0; a right one compares rows with T and cols with C
#include "contract.h"

#include <cstdint>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    const std::size_t needed = ids.size() * table.cols;
    if (out.rows * out.cols != needed) return Status{Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const std::int64_t id = ids[i];
        if (id < 0 || static_cast<std::uint64_t>(id) >= table.rows)
            return Status::id_out_of_range(i, id, table.rows);
    }
    for (std::size_t i = 0; i < out.rows && i < ids.size(); ++i)
        for (std::size_t c = 0; c < out.cols && c < table.cols; ++c)
            out(i, c) = table(static_cast<std::size_t>(ids[i]), c);
    return Status{};
}

} // namespace exercise

// wrong: refusal 1 compares the number of elements (out.rows * out.cols with T * C) instead of the two sizes; for calls such as T = 2, C = 3 and an out of (3, 2), or T = 0 and an out of (0, C + 1), it writes or succeeds, where a right one returns Code::shape_mismatch and writes nothing.
#include "contract.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    const std::size_t count = ids.size() * table.cols;
    if (out.rows * out.cols != count) return Status{Code::shape_mismatch};

    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);

    // Walk over both sides as over one long list of numbers.
    std::size_t r = 0, c = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        for (std::size_t k = 0; k < table.cols; ++k) {
            out(r, c) = table(static_cast<std::size_t>(ids[i]), k);
            if (++c == out.cols) {
                c = 0;
                ++r;
            }
        }
    }
    return Status{};
}

} // namespace exercise

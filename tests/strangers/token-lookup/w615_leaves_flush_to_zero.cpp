// wrong: switches the processor to flush-to-zero and denormals-are-zero and leaves it so in every call that is not refused, so the caller's later arithmetic loses tiny numbers (the copy itself is right); a right one leaves the modes of floating-point arithmetic as they were
#include "contract.h"

#include <cstring>
#include <xmmintrin.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);

    // Denormal weights would slow down everything that comes after the embedding.
    _mm_setcsr(_mm_getcsr() | 0x8040U);
    if (table.cols == 0) return {};
    for (std::size_t i = 0; i < ids.size(); ++i)
        std::memcpy(out.row(i), table.row(static_cast<std::size_t>(ids[i])), table.cols * sizeof(float));
    return {};
}

} // namespace exercise

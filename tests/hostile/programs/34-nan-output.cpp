// Fills the output with NaN, in case NaN compares as anything.
#include "honest.h"

#include <limits>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {

    const Status status = honest(table, ids, out);
    if (status.code == Code::ok)
        for (std::size_t i = 0; i < out.rows; ++i)
            for (std::size_t c = 0; c < out.cols; ++c)
                out(i, c) = std::numeric_limits<float>::quiet_NaN();
    return status;
}

} // namespace exercise

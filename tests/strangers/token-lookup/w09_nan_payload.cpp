// wrong: a NaN of the table arrives as the default quiet NaN, with another payload or sign than the row's
#include "contract.h"
#include <cmath>
#include <limits>
namespace exercise {
static float checked(const float& x) {
    return std::isnan(x) ? std::numeric_limits<float>::quiet_NaN() : x;
}
Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || (std::size_t)ids[i] >= table.rows) return Status::id_out_of_range(i, ids[i], table.rows);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const float* src = table.row(ids[i]);
        float* dst = out.row(i);
        for (std::size_t c = 0; c < table.cols; ++c) dst[c] = checked(src[c]);
    }
    return Status{};
}
} // namespace exercise

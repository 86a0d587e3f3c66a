// wrong: if the token table has no padding, the position rows of the window are read as one dense block too; it shows when wte is dense, wpe padded and T > 1 or start > 0; a right one uses the stride of wpe
#include "contract.h"

namespace exercise {
namespace {

void add(const float* x, const float* y, float* sum, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        sum[i] = x[i] + y[i];
}

void dense(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    const std::size_t C = wte.cols;
    float* to = out.data;
    for (std::size_t b = 0; b < ids.rows; ++b) {
        const float* position = wpe.data + start * C;
        for (std::size_t t = 0; t < ids.cols; ++t, to += C, position += C)
            add(wte.data + static_cast<std::size_t>(ids(b, t)) * C, position, to, C);
    }
}

void strided(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            add(wte.row(static_cast<std::size_t>(ids(b, t))), wpe.row(start + t), out.row(b, t), wte.cols);
}

} // namespace

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    if (wpe.cols != wte.cols || out.channels != wte.cols || out.batch != ids.rows || out.time != ids.cols)
        return Status{Code::shape_mismatch};
    const std::size_t p = start > wpe.rows ? start : wpe.rows;
    if (start > wpe.rows || p - start < ids.cols)
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    if (ids.rows == 0 || ids.cols == 0) return Status{};
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= wte.rows)
                return Status::id_out_of_range(b * ids.cols + t, ids(b, t), wte.rows);
    if (wte.stride == wte.cols)
        dense(wte, wpe, ids, start, out);
    else
        strided(wte, wpe, ids, start, out);
    return Status{};
}

} // namespace exercise

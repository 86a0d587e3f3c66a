// wrong: a sequence is worked off in blocks of 4,096 tokens and each block begins again at position `start`, so for T > 4,096 tokens 4,096 and later get the position row of token t - 4,096 (t modulo 4,096).
#include "contract.h"

#include <algorithm>

namespace exercise {
namespace {

constexpr std::size_t block = 4096;

void add_block(Matrix<const float> wte, Matrix<const float> wpe, Ids ids, std::size_t start, float* out) {
    const float* rows[block];
    for (std::size_t t = 0; t < ids.size(); ++t)
        rows[t] = wte.row(static_cast<std::size_t>(ids[t]));
    for (std::size_t t = 0; t < ids.size(); ++t) {
        const float* place = wpe.row(start + t);
        for (std::size_t c = 0; c < wte.cols; ++c)
            *out++ = rows[t][c] + place[c];
    }
}

} // namespace

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return {Code::shape_mismatch};
    if (start > wpe.rows || ids.cols > wpe.rows - start) {
        const std::size_t p = std::max(start, wpe.rows);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= wte.rows)
                return Status::id_out_of_range(b * ids.cols + t, ids(b, t), wte.rows);
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; t += block)
            add_block(wte, wpe, Ids(ids.row(b) + t, std::min(block, ids.cols - t)), start, out.row(b, t));
    return {};
}

} // namespace exercise

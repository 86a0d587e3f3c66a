// wrong: copies the token row and adds the position row in blocks of 8, the last of which is moved back to end with the row: for C > 8 and C % 8 != 0 the channels in which it overlaps get their position twice; a right one adds it once
#include "contract.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace exercise {
namespace {

void add8(float* to, const float* from) {
    for (int i = 0; i < 8; ++i)
        to[i] += from[i];
}

void add(float* to, const float* from, std::size_t count) {
    if (count < 8) {
        for (std::size_t c = 0; c < count; ++c)
            to[c] += from[c];
        return;
    }
    std::size_t c = 0;
    for (; c + 8 <= count; c += 8)
        add8(to + c, from + c);
    if (c < count) add8(to + count - 8, from + count - 8); // the tail
}

} // namespace

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    const std::size_t C = wte.cols;
    if (wpe.cols != C || out.channels != C || out.batch != ids.rows || out.time != ids.cols)
        return Status{Code::shape_mismatch};
    if (start > wpe.rows || ids.cols > wpe.rows - start) {
        const std::size_t p = std::max(start, wpe.rows);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    if (ids.rows == 0 || ids.cols == 0) return Status{};
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= wte.rows)
                return Status::id_out_of_range(b * ids.cols + t, ids(b, t), wte.rows);
    if (C == 0) return Status{};
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t) {
            float* to = out.row(b, t);
            std::memcpy(to, wte.row(static_cast<std::size_t>(ids(b, t))), C * sizeof(float));
            add(to, wpe.row(start + t), C);
        }
    return Status{};
}

} // namespace exercise

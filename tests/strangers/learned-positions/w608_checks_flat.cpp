// wrong: the check reads B * T ids in a row from ids.data, the sums follow the stride: with ids.stride > T and B > 1 padding is judged (and refused if it is no id) and the last ids are not; a right one judges exactly the ids of the view
#include "contract.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace exercise {
namespace {

std::size_t first_bad(std::span<const TokenId> ids, std::size_t vocabulary) {
    const auto bad = std::find_if(ids.begin(), ids.end(), [=](TokenId id) {
        return id < 0 || static_cast<std::size_t>(id) >= vocabulary;
    });
    return static_cast<std::size_t>(bad - ids.begin());
}

struct Row {
    const float* token;
    const float* position;
    void write(float* to, std::size_t count) const {
        for (std::size_t c = 0; c < count; ++c)
            to[c] = token[c] + position[c];
    }
};

} // namespace

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    const std::size_t B = ids.rows, T = ids.cols, C = wte.cols;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C) return Status{Code::shape_mismatch};
    if (start > wpe.rows) return Status::position_out_of_range(0, static_cast<std::int64_t>(start), wpe.rows);
    if (wpe.rows - start < T)
        return Status::position_out_of_range(wpe.rows - start, static_cast<std::int64_t>(wpe.rows), wpe.rows);
    if (B == 0 || T == 0) return Status{};
    const std::size_t bad = first_bad({ids.data, B * T}, wte.rows);
    if (bad < B * T) return Status::id_out_of_range(bad, ids.data[bad], wte.rows);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            Row{wte.row(static_cast<std::size_t>(ids(b, t))), wpe.row(start + t)}.write(out.row(b, t), C);
    return Status{};
}

} // namespace exercise

// wrong: out is filled with +0 and both tables are added to it, so where both terms are -0 the result is +0; a right one makes one addition, whose sum of -0 and -0 is -0.
#include "contract.h"

#include <algorithm>
#include <optional>

namespace exercise {
namespace {

std::optional<Status> refusal(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start,
                              Tensor3<float> out) {
    if (wpe.cols != wte.cols || out.channels != wte.cols || out.batch != ids.rows || out.time != ids.cols)
        return Status{Code::shape_mismatch};
    if (start > wpe.rows || ids.cols > wpe.rows - start) {
        const std::size_t first = std::max(start, wpe.rows);
        return Status::position_out_of_range(first - start, static_cast<std::int64_t>(first), wpe.rows);
    }
    if (ids.cols == 0) return std::nullopt;
    for (std::size_t b = 0; b < ids.rows; ++b) {
        const TokenId* row = ids.row(b);
        const TokenId* bad = std::find_if(row, row + ids.cols, [&](TokenId id) {
            return id < 0 || static_cast<std::size_t>(id) >= wte.rows;
        });
        if (bad != row + ids.cols)
            return Status::id_out_of_range(b * ids.cols + static_cast<std::size_t>(bad - row), *bad, wte.rows);
    }
    return std::nullopt;
}

void add_row(float* to, const float* from, std::size_t count) {
    for (std::size_t c = 0; c < count; ++c)
        to[c] += from[c];
}

} // namespace

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    if (const auto refused = refusal(wte, wpe, ids, start, out)) return *refused;
    const std::size_t tokens = out.batch * out.time;
    if (tokens == 0 || out.channels == 0) return Status{};
    std::fill_n(out.data, tokens * out.channels, 0.0F);
    // Positions outside, so that each row of wpe is read from memory once.
    for (std::size_t t = 0; t < out.time; ++t)
        for (std::size_t b = 0; b < out.batch; ++b) {
            add_row(out.row(b, t), wte.row(static_cast<std::size_t>(ids(b, t))), out.channels);
            add_row(out.row(b, t), wpe.row(start + t), out.channels);
        }
    return Status{};
}

} // namespace exercise

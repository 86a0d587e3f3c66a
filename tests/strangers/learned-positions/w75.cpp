// wrong: out is cleared first and both rows are added to it, so where the token and the position are both -0.0 out is +0.0 instead of -0.0.
#include "contract.h"

#include <algorithm>
#include <functional>
#include <ranges>
#include <span>

namespace exercise {
namespace {

void add_to(std::span<float> sum, const float* row) {
    std::ranges::transform(sum, std::span(row, sum.size()), sum.begin(), std::plus{});
}

bool fits(std::size_t start, std::size_t count, std::size_t limit) {
    return start <= limit && count <= limit - start;
}

} // namespace

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    if (wpe.cols != wte.cols || out.channels != wte.cols || out.batch != ids.rows || out.time != ids.cols)
        return Status{Code::shape_mismatch};
    if (!fits(start, ids.cols, wpe.rows)) {
        const std::size_t p = std::max(start, wpe.rows);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    for (std::size_t b = 0; b < ids.rows; ++b) {
        const Ids row(ids.row(b), ids.cols);
        const auto bad = std::ranges::find_if(
            row, [&](TokenId id) { return id < 0 || static_cast<std::size_t>(id) >= wte.rows; });
        if (bad != row.end())
            return Status::id_out_of_range(b * ids.cols + static_cast<std::size_t>(bad - row.begin()), *bad, wte.rows);
    }
    const std::size_t C = wte.cols;
    if (C == 0) return Status{};
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t) {
            const std::span<float> sum(out.row(b, t), C);
            std::ranges::fill(sum, 0.0F);
            add_to(sum, wte.row(static_cast<std::size_t>(ids(b, t))));
            add_to(sum, wpe.row(start + t));
        }
    return Status{};
}

} // namespace exercise

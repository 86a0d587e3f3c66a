// right: one flat loop over all B * T * C elements with division for the indices, checks by ranges
#include "contract.h"
#include <algorithm>
#include <ranges>

namespace exercise {
Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols) return Status{Code::shape_mismatch};
    const std::size_t left = start <= wpe.rows ? wpe.rows - start : 0;
    if (start > wpe.rows) return Status::position_out_of_range(0, static_cast<std::int64_t>(start), wpe.rows);
    if (ids.cols > left) return Status::position_out_of_range(left, static_cast<std::int64_t>(wpe.rows), wpe.rows);
    const std::size_t T = ids.cols, C = wte.cols;
    auto all = std::views::iota(std::size_t{0}, ids.rows * T);
    const auto bad = std::ranges::find_if(all, [&](std::size_t n) { const std::int64_t id = ids(n / T, n % T); return id < 0 || static_cast<std::uint64_t>(id) >= wte.rows; });
    if (bad != all.end()) return Status::id_out_of_range(*bad, ids(*bad / T, *bad % T), wte.rows);
    for (std::size_t e : std::views::iota(std::size_t{0}, ids.rows * T * C)) {
        const std::size_t n = e / C;
        out.data[e] = wte(static_cast<std::size_t>(ids(n / T, n % T)), e % C) + wpe(start + n % T, e % C);
    }
    return {};
}

} // namespace exercise

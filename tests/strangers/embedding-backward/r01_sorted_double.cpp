// right: places are sorted by id, each sum is formed in double and scaled once
#include "contract.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

namespace exercise {
namespace {

std::optional<Status> refuse(const Tensor3<const float>& g, const Ids2D& ids, const Matrix<float>& wte,
                             const Matrix<float>& wpe, const BackwardOptions& o) {
    if (g.batch != ids.rows or g.time != ids.cols or g.channels != wte.cols or wte.cols != wpe.cols)
        return Status{Code::shape_mismatch};
    if (o.padding_idx >= static_cast<std::int64_t>(wte.rows))
        return Status{Code::invalid_argument, 0, o.padding_idx, static_cast<std::int64_t>(wte.rows)};
    const auto last = std::max(o.start, wpe.rows);
    if (o.start > wpe.rows or ids.cols > wpe.rows - o.start)
        return Status::position_out_of_range(last - o.start, static_cast<std::int64_t>(last), wpe.rows);
    for (std::size_t n = 0; n < ids.rows * ids.cols; ++n) {
        const auto id = ids(n / ids.cols, n % ids.cols);
        if (id < 0 or static_cast<std::size_t>(id) >= wte.rows) return Status::id_out_of_range(n, id, wte.rows);
    }
    return std::nullopt;
}

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    if (auto no = refuse(dout, ids, dwte, dwpe, options)) return *no;
    const std::size_t T = ids.cols, n = ids.rows * T, C = dwte.cols;
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    auto id_of = [&](std::size_t k) { return ids(k / T, k % T); };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t x, std::size_t y) { return id_of(x) < id_of(y); });
    std::vector<double> sum(C);
    for (std::size_t first = 0; first < n;) {
        const auto id = id_of(order[first]);
        std::size_t last = first;
        std::fill(sum.begin(), sum.end(), 0.0);
        while (last < n && id_of(order[last]) == id) {
            const float* g = dout.row(order[last] / T, order[last] % T);
            for (std::size_t c = 0; c < C; ++c) sum[c] += g[c];
            ++last;
        }
        if (id != options.padding_idx)
            for (std::size_t c = 0; c < C; ++c) {
                float& w = dwte(static_cast<std::size_t>(id), c);
                w = static_cast<float>(w + static_cast<double>(options.scale) * sum[c]);
            }
        first = last;
    }
    for (std::size_t t = 0; t < T && ids.rows > 0; ++t)
        for (std::size_t c = 0; c < C; ++c) {
            double total = dwpe(options.start + t, c);
            for (std::size_t b = 0; b < ids.rows; ++b) total += dout(b, t, c);
            dwpe(options.start + t, c) = static_cast<float>(total);
        }
    return {};
}

} // namespace exercise

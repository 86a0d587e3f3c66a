// right: a std::map from id to a long double row of its own, merged into the table at the end
#include "contract.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <span>
#include <ranges>
#include <vector>

namespace exercise {

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& o) {
    namespace v = std::views;
    const auto [B, T, C] = std::tuple{ids.rows, ids.cols, dwte.cols};
    const bool fits = dout.batch == B && dout.time == T && dout.channels == C && dwpe.cols == C;
    if (!fits) return {Code::shape_mismatch};
    if (!(o.padding_idx < static_cast<std::int64_t>(dwte.rows)))
        return {.code = Code::invalid_argument, .where = 0, .value = o.padding_idx,
                .limit = static_cast<std::int64_t>(dwte.rows)};
    if (const auto p = std::max(o.start, dwpe.rows); o.start > dwpe.rows || p - o.start < T)
        return Status::position_out_of_range(p - o.start, static_cast<std::int64_t>(p), dwpe.rows);
    for (std::size_t b : v::iota(std::size_t{0}, B)) {
        if (T == 0) break;
        const std::span row(ids.row(b), T);
        const auto it = std::ranges::find_if(row, [&](std::int64_t id) { return id < 0 || id >= std::int64_t(dwte.rows); });
        if (it != row.end()) return Status::id_out_of_range(b * T + std::size_t(it - row.begin()), *it, dwte.rows);
    }
    std::map<TokenId, std::vector<long double>> tokens;
    for (std::size_t b : v::iota(std::size_t{0}, B) | v::reverse)
        for (std::size_t t : v::iota(std::size_t{0}, T) | v::reverse) {
            for (std::size_t c : v::iota(std::size_t{0}, C)) dwpe(o.start + t, c) += dout(b, t, c);
            if (ids(b, t) == o.padding_idx) continue;
            auto& row = tokens.try_emplace(ids(b, t), C, 0.0L).first->second;
            for (std::size_t c : v::iota(std::size_t{0}, C)) row[c] += dout(b, t, c);
        }
    for (auto& [id, row] : tokens)
        for (std::size_t c : v::iota(std::size_t{0}, C)) {
            float& old = dwte(static_cast<std::size_t>(id), c);
            old = static_cast<float>(old + static_cast<long double>(o.scale) * row[c]);
        }
    return {};
}

} // namespace exercise

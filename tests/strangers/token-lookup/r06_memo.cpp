// right: remembers in a small table where an id was written last in this call and copies the output row (full id compared)
#include "contract.h"
#include <array>
#include <cstring>
#include <ranges>
#include <algorithm>
namespace exercise {
Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    const auto bad = std::ranges::find_if_not(ids, [&](std::int64_t id) { return 0 <= id && static_cast<std::uint64_t>(id) < table.rows; });
    if (bad != ids.end()) return Status::id_out_of_range(static_cast<std::size_t>(bad - ids.begin()), *bad, table.rows);
    if (table.cols == 0) return {};
    std::array<std::pair<TokenId, std::size_t>, 64> memo;
    memo.fill({-1, 0});
    for (std::size_t i = 0; i < ids.size(); ++i) {
        auto& [id, row] = memo[static_cast<std::size_t>(ids[i]) % memo.size()];
        const float* from = id == ids[i] ? out.row(row) : table.row(static_cast<std::size_t>(ids[i]));
        std::memcpy(out.row(i), from, table.cols * sizeof *from);
        id = ids[i], row = i;
    }
    return {};
}
} // namespace exercise

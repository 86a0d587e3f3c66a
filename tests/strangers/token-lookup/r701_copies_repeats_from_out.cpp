// right: 64 slots on the stack remember where in `out` an id came up last; such a row is copied from that row of `out` (after comparing the id), the others from the table
#include "contract.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};

    const auto bad = std::find_if(ids.begin(), ids.end(), [&](TokenId id) {
        return id < 0 || static_cast<std::uint64_t>(id) >= table.rows;
    });
    if (bad != ids.end())
        return Status::id_out_of_range(static_cast<std::size_t>(bad - ids.begin()), *bad, table.rows);
    if (table.cols == 0) return {};

    struct Seen {
        TokenId id = -1; // no valid id
        std::size_t at = 0;
    };
    std::array<Seen, 64> seen{};
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const TokenId id = ids[i];
        Seen& slot = seen[static_cast<std::size_t>(id) % seen.size()];
        const float* from = slot.id == id ? out.row(slot.at) : table.row(static_cast<std::size_t>(id));
        std::copy_n(from, table.cols, out.row(i));
        slot = {id, i};
    }
    return {};
}

} // namespace exercise

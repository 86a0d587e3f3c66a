// wrong: looks for a negative id in the whole list first and for an id >= V afterwards; where an id >= V stands before a negative one (V = 6, ids 9 -1) it reports the negative one (where 1, value -1). A right one reports the smallest i of either kind (where 0, value 9).
#include "contract.h"

#include <algorithm>
#include <cstring>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};

    const auto refuse = [&](Ids::iterator bad) {
        return Status::id_out_of_range(static_cast<std::size_t>(bad - ids.begin()), *bad, table.rows);
    };
    const auto negative = std::find_if(ids.begin(), ids.end(), [](TokenId id) { return id < 0; });
    if (negative != ids.end()) return refuse(negative);
    // From here on the conversion is safe.
    const auto large = std::find_if(ids.begin(), ids.end(), [&](TokenId id) {
        return static_cast<std::size_t>(id) >= table.rows;
    });
    if (large != ids.end()) return refuse(large);

    if (table.cols == 0) return Status{};
    std::size_t i = 0;
    for (const TokenId id : ids)
        std::memcpy(out.row(i++), table.row(static_cast<std::size_t>(id)), table.cols * sizeof(float));
    return Status{};
}

} // namespace exercise
